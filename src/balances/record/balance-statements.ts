import type { DateOrder } from '../../accounts/account-filter.query.js';
import { REVISION_SQL } from '../../accounts/account-revisions.js';
import { RECORD_SQL } from './balance-record.js';

/** The tables of a `BalanceRecord`. */
const WITH_SHOWN_SQL = `${RECORD_SQL}, a.name as account_name, a.account_type`;

const WITH_ACCOUNT = `balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id`;

/** $1 person, $2 id. */
export const BY_ID = {
  name: 'balance-by-id',
  text: `select ${WITH_SHOWN_SQL} from ${WITH_ACCOUNT} where b.user_id = $1 and b.id = $2`,
};

/** Person, account, first and last day (null: none), number of records. */
export const DAYS_OF_ACCOUNT = `
  select ${WITH_SHOWN_SQL} from ${WITH_ACCOUNT}
  where b.user_id = ? and b.account_id = ? and b.date between coalesce(?::date, '-infinity') and coalesce(?::date, 'infinity')
  order by b.date limit ?`;

const rangeOf = (accounts: string) => `
  select ${RECORD_SQL}, ${REVISION_SQL}
  from balances b
  where b.user_id = $1 and b.date between date '1970-01-01' + $2::integer and date '1970-01-01' + $3::integer ${accounts}
  order by b.date desc, b.account_id offset $4 limit $5`;

/**
 * The records of a page and their revision, for all accounts or some. $1 person, $2 oldest and $3 newest day, counted
 * from 1970-01-01, $4 offset, $5 limit; $6 accounts.
 */
export const RANGE_OF_ALL = { name: 'balances-of-all', text: rangeOf('') };
export const RANGE_OF_SOME = { name: 'balances-of-some', text: rangeOf('and b.account_id = any($6::uuid[])') };

const MATCHES = `
  b.user_id = $1 and ($2::uuid[] is null or b.account_id = any($2)) and ($3::text[] is null or b.currency = any($3))
  and ($4::date is null or b.date >= $4) and ($5::date is null or b.date <= $5)`;

interface Order {
  of: (table: string) => string;
  /** Records after $8 date and $9 account. */
  after: string;
}

const ORDERS: Record<DateOrder, Order> = {
  '-date': {
    of: (table) => `${table}.date desc, ${table}.account_id`,
    after: 'm.date < $8::date or m.date = $8::date and m.account_id > $9::uuid',
  },
  date: {
    of: (table) => `${table}.date, ${table}.account_id desc`,
    after: 'm.date > $8::date or m.date = $8::date and m.account_id < $9::uuid',
  },
};

/** The sort order of a table's records. */
export function orderOf(order: DateOrder, table: string): string {
  return ORDERS[order].of(table);
}

/** All records of a filter. $1 person, then each filter or null: $2 accounts, $3 currencies, $4 first and $5 last date. */
export function allBalances(order: DateOrder): string {
  return `
    select ${WITH_SHOWN_SQL} from ${WITH_ACCOUNT} where ${MATCHES} order by ${ORDERS[order].of('b')}`;
}

/**
 * A page and the total, by counting. $1 person, then each filter or null: $2 accounts, $3 currencies, $4 first and $5
 * last date; $6 limit, $7 offset, $8 date and $9 account of the last record read, or null. Planned anew for each set of
 * filters.
 */
export function countedPage(order: DateOrder): string {
  const { of, after } = ORDERS[order];
  return `
    with matching as (
      select b.account_id, b.date from balances b
      where ${MATCHES}
    ), page as (
      select m.account_id, m.date from matching m where $8::date is null or ${after}
      order by ${of('m')} limit $6 offset $7
    )
    select total.total_count, shown.record, shown.account_name, shown.account_type
    from (select count(*)::float8 as total_count from matching) total
    left join (
      select page.date, page.account_id, ${WITH_SHOWN_SQL} from page join ${WITH_ACCOUNT}
        on b.user_id = $1 and b.account_id = page.account_id and b.date = page.date
    ) shown on true
    order by ${of('shown')}`;
}
