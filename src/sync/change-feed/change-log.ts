import type { EntityManager } from '@mikro-orm/postgresql';
import { rawRows } from '../../database/raw-rows.js';
import { cursorSeal } from './cursor.js';

/** The range of a person's log. */
export interface LogState {
  /** The newest revision. */
  head: number;
  /** The log is complete after this revision. */
  floor: number;
  /** The seal that the person's cursors must have. */
  seal: string;
}

// Raw, because the log has no entities.

export async function readLogState(em: EntityManager, userId: string): Promise<LogState> {
  const [row] = await rawRows<{ head: number; floor: number; epoch: string }>(
    em,
    `select coalesce(known.revision, 0)::float8 as head, coalesce(known.floor, 0)::float8 as floor, epoch::text as epoch
     from feed_epoch left join user_revisions known on known.user_id = $1`,
    [userId],
  );
  const { head, floor, epoch } = row!;
  return { head, floor, seal: cursorSeal(epoch, userId) };
}

/** Whether a sync has changed after a revision. */
export async function hasSyncChanged(
  em: EntityManager,
  userId: string,
  syncId: string,
  revision: number,
): Promise<boolean> {
  const changed = await rawRows(
    em,
    `select 1 from changes where user_id = $1 and kind = 'syncs' and $2::uuid = any(ids) and revision > $3 limit 1`,
    [userId, syncId, revision],
  );
  return changed.length > 0;
}
