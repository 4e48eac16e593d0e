import { PlainPool } from '../../src/database/plain-pool.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { onServer } from '../support/database.js';

/** More than any pool has connections. */
const LOSSES = 25;
const LOST = /terminating connection|Connection terminated|not queryable/;

describe('lost database sessions', () => {
  let tidemark: TestApp;
  let pool: PlainPool;

  beforeAll(async () => {
    tidemark = await startTestApp();
    pool = tidemark.app.get(PlainPool);
  });
  // Stopping waits until every connection was given back.
  afterAll(() => tidemark.stop());

  // From outside: inside a transaction the service refuses a second session.
  const terminate = (pid: number) => onServer(`select pg_terminate_backend(${pid}, 5000)`);

  const loseWithinTransaction = () =>
    tidemark.em().transactional(async (em) => {
      const [session] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      await terminate(session!.pid);
      await em.execute('select 1');
    });

  const sessionOfStatements = async () => {
    const text = `select pg_backend_pid() as pid, current_setting('plan_cache_mode') as plans`;
    const [session] = await pool.query<{ pid: number; plans: string }>({ name: 'who-am-i', text }, []);
    return session!;
  };

  it('a database session lost in a transaction fails only that transaction, and no connection leaks', async () => {
    for (let loss = 0; loss < LOSSES; loss++) await expect(loseWithinTransaction()).rejects.toThrow(LOST);
    expect(await tidemark.em().execute('select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  it('a database session lost between prepared statements is replaced, and the new one plans once, too', async () => {
    for (let loss = 0; loss < LOSSES; loss++) {
      const { pid, plans } = await sessionOfStatements();
      expect(plans).toBe('force_generic_plan');
      await terminate(pid);
    }
  });

  it('a database session lost during a prepared statement fails only that statement', async () => {
    const { pid } = await sessionOfStatements();
    const waiting = pool.query({ name: 'wait', text: 'select pg_sleep(60)' }, []);
    await Promise.all([expect(waiting).rejects.toThrow('terminating connection'), terminate(pid)]);
    expect((await sessionOfStatements()).pid).not.toBe(pid);
  });
});
