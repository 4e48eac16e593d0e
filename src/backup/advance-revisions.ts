import type pg from 'pg';

/** More changes than an install makes between a backup and its restore. */
const STEP = 1_000_000_000;

/**
 * Clients hold entity tags made of revisions that came after the backup. Counting on from the backup would give the same
 * numbers to other data, and they would seem unchanged.
 */
export async function advanceRevisions(session: pg.ClientBase): Promise<void> {
  if (await exists(session, 'account_revisions')) {
    await session.query(`update account_revisions set revision = revision + ${STEP}`);
  }
  if (await exists(session, 'sync_revision')) {
    await session.query(`select setval('sync_revision', (select last_value from sync_revision) + ${STEP})`);
    await session.query(`update sync_revisions set revision = nextval('sync_revision')`);
  }
  if (await exists(session, 'feed_epoch')) {
    await session.query(`
      update user_revisions set revision = revision + ${STEP}, records_revision = revision + ${STEP}, floor = revision + ${STEP}`);
    // Cursors from before are refused, because their numbers stood for other changes.
    await session.query('update feed_epoch set epoch = gen_random_uuid()');
  }
}

/** Those of older backups count otherwise. */
async function exists(session: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await session.query<{ found: string | null }>('select to_regclass($1) as found', [table]);
  return rows[0]!.found !== null;
}
