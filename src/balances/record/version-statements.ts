import type { DateOrder } from '../../accounts/account-filter.query.js';
import { RECORD_SQL } from './balance-record.js';
import { orderOf } from './balance-statements.js';
import { VERSION_ARRAYS } from '../versions/version-arrays.js';

const arrays = (prefix: string) => VERSION_ARRAYS.map(({ array }) => prefix + array).join(', ');
const COLUMNS = VERSION_ARRAYS.map(({ column }) => column).join(', ');
const NOTHING = VERSION_ARRAYS.slice(1)
  .map(({ column }) => `null::${column === 'id' ? 'uuid' : column.endsWith('_at') ? 'timestamptz' : 'bigint'}`)
  .join(', ');
/** After every revision: the current record. */
const NOW = '9223372036854775807';

/**
 * Balances as of a revision: for each day the oldest value replaced later, or else the current one. $1 person, $2
 * revision, then each filter or null: $3 accounts, $4 currencies, $5 first and $6 last date.
 */
const AS_OF = `
  with replaced as materialized (
    select r.revision, v.* from balance_versions v
    join revisions r on r.user_id = v.user_id and r.batch_id = v.batch_id
    where v.user_id = $1 and r.revision > $2 and ($3::uuid[] is null or v.account_id = any($3))
      and v.last_date >= coalesce($5::date, '-infinity') and v.first_date <= coalesce($6::date, 'infinity')
  ), said as (
    select v.revision, v.part, true as is_there, v.account_id, v.currency, v.flows_factor, v.has_cash, day.*
    from replaced v, unnest(${arrays('v.')}) as day(${COLUMNS})
    union all
    select v.revision, v.part, false, v.account_id, null, null, null, day::date, ${NOTHING}
    from replaced v, unnest(v.absent) span, generate_series(lower(span), upper(span) - 1, '1 day') day
    union all
    select ${NOW}, 0, true, account_id, currency, flows_factor, has_cash, ${COLUMNS}
    from balances where user_id = $1 and ($3::uuid[] is null or account_id = any($3))
  ), matching as (
    select b.* from (
      select distinct on (account_id, date) * from said
      where date between coalesce($5::date, '-infinity') and coalesce($6::date, 'infinity')
      order by account_id, date, revision, part
    ) b
    where is_there and ($4::text[] is null or currency = any($4))
  )`;

/** All records. */
export const allAsOf = (order: DateOrder = '-date') => `
  ${AS_OF}
  select ${RECORD_SQL}, a.name as account_name, a.account_type
  from matching b join accounts a on a.user_id = $1 and a.id = b.account_id
  order by ${orderOf(order, 'b')}`;

/** A page and the total; $7 limit, $8 offset. */
export const asOfPage = (order: DateOrder = '-date') => `
  ${AS_OF}
  select total.total_count, shown.record, shown.account_name, shown.account_type
  from (select count(*)::float8 as total_count from matching) total
  left join (
    select b.date, b.account_id, ${RECORD_SQL}, a.name as account_name, a.account_type
    from (select m.* from matching m order by ${orderOf(order, 'm')} limit $7 offset $8) b
    join accounts a on a.user_id = $1 and a.id = b.account_id
  ) shown on true
  order by ${orderOf(order, 'shown')}`;

/** To the next millisecond, in which moments are shown: as of a moment that is shown, the list says what began then. */
const shown = (moment: string) => `date_trunc('milliseconds', ${moment} + interval '999 microseconds')`;

/** The newest revision at a time, and whether it is still known. $1 person, $2 time. */
export const REVISION_AT = `
  select $2::timestamptz > now() as is_to_come, $2::timestamptz < known.balances_kept_since as is_too_early,
    ${shown('known.balances_kept_since')} as kept_since, (
      select coalesce(max(revision), 0)::float8 from revisions
      where user_id = $1 and committed_at <= $2 and batch_id is not null
    ) as revision
  from (select $1::uuid as user_id) person left join user_revisions known using (user_id)`;

/** The replaced values of a day, oldest first. $1 person, $2 account, $3 day. A row without record: there was none. */
export const VERSIONS_OF_DAY = `
  select r.revision::float8 as revision, date_part('epoch', ${shown('r.committed_at')}) as until, v.reasons, b.record,
    a.name as account_name, a.account_type
  from balance_versions v
  join revisions r on r.user_id = v.user_id and r.batch_id = v.batch_id
  join accounts a on a.user_id = v.user_id and a.id = v.account_id
  left join lateral (
    select ${RECORD_SQL} from (
      select v.account_id, v.currency, v.flows_factor, v.has_cash, day.*
      from unnest(${arrays('v.')}) as day(${COLUMNS}) where day.date = $3
    ) b
  ) b on true
  where v.user_id = $1 and v.account_id = $2 and v.first_date <= $3 and v.last_date >= $3
    and (v.absent @> $3::date or b.record is not null)
  order by r.revision, v.part`;
