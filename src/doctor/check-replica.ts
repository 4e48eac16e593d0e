import type pg from 'pg';
import type { Config } from '../config/config.js';
import { asStartupError } from '../database/as-startup-error.js';
import { withPlainSession } from '../database/plain-session.js';
import { StartupError } from '../config/startup-error.js';
import { bad, type Check, good } from './check.js';

const ADVICE =
  'Name a physical standby of the primary in DATABASE_REPLICA_URL. Until then lists are read from the primary.';

interface Standby {
  is_replica: boolean;
  epoch: string;
  replayed: string | null;
  /** `null`: the role may not know it, or the standby receives nothing at the moment. */
  timeline: number | null;
}

const STANDBY = `
  select pg_is_in_recovery() as is_replica, (select epoch::text from feed_epoch) as epoch,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as replayed,
    (select received_tli from pg_stat_wal_receiver) as timeline`;

/** $1 to $3: epoch, position and timeline of the standby. */
const COMPARED = `
  select epoch::text = $1 and coalesce(here.timeline = $3, true) as is_same,
    pg_size_pretty(greatest(0, pg_current_wal_lsn() - $2::pg_lsn)) as behind
  from feed_epoch, (
    select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
  ) here`;

/** Whether it follows the server of `primary`, and how far behind it is. */
export async function checkReplica(primary: pg.ClientBase, url: string, { database }: Config): Promise<Check> {
  try {
    const standby = await withPlainSession({ clientUrl: url }, database, async (session) => {
      const { rows } = await session.query<Standby>(STANDBY);
      return rows[0]!;
    });
    const { is_replica: isReplica, epoch, replayed, timeline } = standby;
    if (!isReplica) return bad('replica', 'The server in DATABASE_REPLICA_URL is no replica.', ADVICE);
    const { rows } = await primary.query<{ is_same: boolean; behind: string }>(COMPARED, [epoch, replayed, timeline]);
    const { is_same: isSame, behind } = rows[0]!;
    if (!isSame) return bad('replica', 'The server in DATABASE_REPLICA_URL follows another server.', ADVICE);
    return good('replica', `It follows the primary, ${behind} behind.`);
  } catch (error) {
    const reason = asStartupError(error, 'The replica in DATABASE_REPLICA_URL');
    if (!(reason instanceof StartupError)) throw error;
    return bad('replica', reason.message, ADVICE);
  }
}
