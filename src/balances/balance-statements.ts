import { EXPORTED_SQL } from './exported-balance.js';

// Amounts leave PostgreSQL as float8, exact for every safe integer; instants as seconds, since it takes longer over
// writing their text than over all the rest of a row.

/** What a `BalanceRow` is read from, but for what belongs to its account. */
const RECORD_COLUMNS_SQL = `
  b.id, b.date::text as date, b.currency, b.flows_factor, b.has_cash,
  b.start_cash::float8 as start_cash, b.start_non_cash::float8 as start_non_cash,
  b.cash_inflows::float8 as cash_inflows, b.cash_outflows::float8 as cash_outflows,
  b.non_cash_inflows::float8 as non_cash_inflows, b.non_cash_outflows::float8 as non_cash_outflows,
  b.net_market_flows::float8 as net_market_flows, b.cash_adjustments::float8 as cash_adjustments,
  b.non_cash_adjustments::float8 as non_cash_adjustments,
  b.end_cash::float8 as end_cash, b.end_non_cash::float8 as end_non_cash,
  date_part('epoch', b.created_at) as created_at,
  date_part('epoch', b.updated_at) as updated_at,
  b.account_id`;

/** What a `BalanceRow` is read from. */
export const BALANCE_COLUMNS_SQL = `${RECORD_COLUMNS_SQL}, a.name as account_name, a.account_type`;

const WITH_ACCOUNT = `balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id`;

/** $1 person, $2 id. */
export const BY_ID = {
  name: 'balance-by-id',
  text: `select ${BALANCE_COLUMNS_SQL} from ${WITH_ACCOUNT} where b.user_id = $1 and b.id = $2`,
};

const rangeOf = (accounts: string) => `
  select ${RECORD_COLUMNS_SQL}, (select revision::text from user_revisions where user_id = $1) as revision
  from balances b
  where b.user_id = $1 and b.date between date '1970-01-01' + $2::integer and date '1970-01-01' + $3::integer ${accounts}
  order by b.date desc, b.account_id offset $4 limit $5`;

/**
 * The records of a page, and the revision they were read at; all of its accounts', or those of some of them.
 * $1 person, $2 oldest and $3 newest day, counted from 1970-01-01, $4 how many to skip, $5 how many to give; $6 accounts.
 */
export const RANGE_OF_ALL = { name: 'balances-of-all', text: rangeOf('') };
export const RANGE_OF_SOME = { name: 'balances-of-some', text: rangeOf('and b.account_id = any($6::uuid[])') };

const MATCHES = `
  b.user_id = $1 and ($2::uuid is null or b.account_id = $2) and ($3::text is null or b.currency = $3)
  and ($4::date is null or b.date >= $4) and ($5::date is null or b.date <= $5)`;

/** All records of a filter. $1 person, then each filter or null: $2 account, $3 currency, $4 first and $5 last date. */
export const ALL = `select ${EXPORTED_SQL} from ${WITH_ACCOUNT} where ${MATCHES} order by b.date desc, b.account_id`;

/**
 * A page and the number of all records by counting them. $1 person, then each filter or null: $2 account, $3 currency,
 * $4 first and $5 last date; $6 limit, $7 offset.
 */
export const COUNTED_PAGE = {
  name: 'balances-counted-page',
  text: `
    with matching as (
      select b.account_id, b.date from balances b
      where ${MATCHES}
    ), page as (
      select account_id, date from matching order by date desc, account_id limit $6 offset $7
    )
    select total.total_count, record.*
    from (select count(*)::float8 as total_count from matching) total
    left join (
      select ${BALANCE_COLUMNS_SQL} from page join ${WITH_ACCOUNT}
        on b.user_id = $1 and b.account_id = page.account_id and b.date = page.date
    ) record on true
    order by record.date desc, record.account_id`,
};
