import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../accounts/account.entity.js';
import { certaintyRanges, KNOWN, UNKNOWN } from '../engine/certainty.js';
import type { BalanceHistory } from '../engine/history.js';
import { type CalendarDate, dateOfDayNumber } from '../../platform/time/calendar-date.js';

/**
 * Makes the stored uncertain days equal to the derived ones. Raw, because one statement deletes and upserts what it reads
 * from arrays.
 *
 * @param since the first day to write, if an earlier history in another currency has ended; `null`: all days
 */
export async function writeCertainty(
  em: EntityManager,
  { userId, id }: Account,
  history: BalanceHistory | null,
  since: CalendarDate | null,
): Promise<void> {
  const ranges = history ? certaintyRanges(history).filter(({ certainty }) => certainty !== KNOWN) : [];
  const starts = ranges.map(({ from }) => dateOfDayNumber(from)).join(',');
  const ends = ranges.map(({ until }) => dateOfDayNumber(until)).join(',');
  const levels = ranges.map(({ certainty }) => (certainty === UNKNOWN ? 'unknown' : 'estimated')).join(',');
  const doubts = ranges.map(({ doubtMinor }) => doubtMinor ?? 'null').join(',');
  await sql`
    with derived as (
      select greatest(start_date, coalesce(${since}::date, '-infinity')) as start_date, end_date, level, doubt_minor
      from unnest(${`{${starts}}`}::date[], ${`{${ends}}`}::date[], ${`{${levels}}`}::text[], ${`{${doubts}}`}::bigint[])
        as range(start_date, end_date, level, doubt_minor)
      where end_date >= coalesce(${since}::date, '-infinity')
    ), deleted as (
      delete from uncertain_days stored
      where user_id = ${userId} and account_id = ${id} and start_date >= coalesce(${since}::date, '-infinity')
        and not exists (select 1 from derived where derived.start_date = stored.start_date)
    ), cut as (
      update uncertain_days set end_date = ${since}::date - 1
      where user_id = ${userId} and account_id = ${id} and start_date < ${since}::date and end_date >= ${since}::date
    )
    insert into uncertain_days as stored (user_id, account_id, start_date, end_date, level, doubt_minor)
    select ${userId}::uuid, ${id}::uuid, start_date, end_date, level, doubt_minor from derived
    on conflict (user_id, account_id, start_date)
      do update set end_date = excluded.end_date, level = excluded.level, doubt_minor = excluded.doubt_minor
    where (stored.end_date, stored.level, stored.doubt_minor)
      is distinct from (excluded.end_date, excluded.level, excluded.doubt_minor)
  `.execute(em.getKysely());
}
