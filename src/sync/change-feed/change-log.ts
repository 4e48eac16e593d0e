import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { PlainPool } from '../../database/plain-pool.js';
import { rawRows } from '../../database/raw-rows.js';
import type { ChangeKind } from '../../database/change-log/change.js';
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

/** What one transaction changed, in the detail that events show. */
export interface LogEntry {
  revision: number;
  kinds: ChangeKind[];
  syncIds: string[];
}

interface StateRow {
  head: number;
  floor: number;
  epoch: string;
}

// Raw, because prepared statements are text, and the log has no entities.

/** $1 person. */
const LOG_STATE = `
  select coalesce(known.revision, 0)::float8 as head, coalesce(known.floor, 0)::float8 as floor, epoch::text as epoch
  from feed_epoch left join user_revisions known on known.user_id = $1`;

const STATE = { name: 'log-state', text: LOG_STATE };

/** $1 person, $2 after which revision, $3 how many. */
const ENTRIES = {
  name: 'log-entries',
  text: `
    select r.revision::float8 as revision, r.kinds, coalesce(s.ids, '{}')::text[] as "syncIds"
    from revisions r
    left join lateral (
      select array_agg(id) as ids from changes c, unnest(c.ids) id
      where c.user_id = $1 and c.revision = r.revision and c.kind = 'syncs'
    ) s on true
    where r.user_id = $1 and r.revision > $2 order by r.revision limit $3`,
};

/** $1 person, $2 sync, $3 after which revision. */
const SYNC_CHANGED = {
  name: 'log-sync-changed',
  text: `
    select exists (
      select 1 from changes where user_id = $1 and kind = 'syncs' and $2::uuid = any(ids) and revision > $3
    ) as changed`,
};

/** Reads the log of a person's changes, outside any transaction. */
@Injectable()
export class ChangeLog {
  constructor(private readonly pool: PlainPool) {}

  async state(userId: string): Promise<LogState> {
    const [row] = await this.pool.query<StateRow>(STATE, [userId]);
    return toLogState(row!, userId);
  }

  /** Oldest first. */
  entriesAfter(userId: string, revision: number, limit: number): Promise<LogEntry[]> {
    return this.pool.query<LogEntry>(ENTRIES, [userId, revision, limit]);
  }

  async hasSyncChanged(userId: string, syncId: string, revision: number): Promise<boolean> {
    const [row] = await this.pool.query<{ changed: boolean }>(SYNC_CHANGED, [userId, syncId, revision]);
    return row!.changed;
  }
}

/** The same in the transaction of `em`. */
export async function readLogState(em: EntityManager, userId: string): Promise<LogState> {
  const [row] = await rawRows<StateRow>(em, LOG_STATE, [userId]);
  return toLogState(row!, userId);
}

function toLogState({ head, floor, epoch }: StateRow, userId: string): LogState {
  return { head, floor, seal: cursorSeal(epoch, userId) };
}
