import type pg from 'pg';
import { CHANGES_CHANNEL } from './note-changes.js';

/** More than the changes that a backup lacks. */
const STEP = 1_000_000_000;

/**
 * For a database that was restored from a backup, and so has lost its newest changes. Clients have entity tags of newer
 * revisions. If revisions continued from those that are left, other data would get the same tags and seem unchanged. Raw,
 * because a session of its own has no builder.
 */
export async function advanceRevisions(session: pg.ClientBase): Promise<void> {
  await session.query(`
    update user_revisions set revision = revision + ${STEP}, records_revision = revision + ${STEP}, floor = revision + ${STEP}`);
  // Cursors from before are refused, because their numbers stood for other changes.
  await session.query('update feed_epoch set epoch = gen_random_uuid()');
  // Read first: Citus would notify the listeners of its workers, and there are none.
  const { rows } = await session.query<{ user_id: string }>('select user_id from user_revisions');
  const people = rows.map((row) => row.user_id);
  await session.query('select pg_notify($1, user_id) from unnest($2::text[]) user_id', [CHANGES_CHANNEL, people]);
}
