import type { TestApp } from './app.js';
import { sessionWaitsForLock } from './lock-wait.js';

const LOCK = 7_302_901;

/**
 * Starts what checks a password or a code, and does the work when the check has said that it is right and nothing has come
 * of it yet.
 *
 * @returns what was started
 */
export async function betweenCheckAndOutcome<T>(
  test: TestApp,
  start: () => Promise<T>,
  work: () => Promise<unknown>,
): Promise<T> {
  await test.em().execute(`
    create or replace function hold_check() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
    create or replace trigger hold_check before update on password_attempts
    for each row when (new.points < old.points) execute function hold_check()`);
  const holder = test.em();
  await holder.begin();
  const started: Promise<T>[] = [];
  try {
    await holder.execute(`select pg_advisory_xact_lock(${LOCK})`);
    started.push(start());
    await sessionWaitsForLock(test);
    await work();
  } finally {
    await holder.rollback();
    await test.em().execute('drop trigger hold_check on password_attempts');
  }
  return started[0]!;
}
