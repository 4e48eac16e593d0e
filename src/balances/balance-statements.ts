// Amounts leave PostgreSQL as float8, exact for every safe integer; instants as seconds, since it takes longer over
// writing their text than over all the rest of a row.

/** What a `BalanceRow` is read from. */
export const BALANCE_COLUMNS_SQL = `
  b.id, b.date::text as date, b.currency, b.flows_factor, b.has_cash,
  b.start_cash::float8 as start_cash, b.start_non_cash::float8 as start_non_cash,
  b.cash_inflows::float8 as cash_inflows, b.cash_outflows::float8 as cash_outflows,
  b.non_cash_inflows::float8 as non_cash_inflows, b.non_cash_outflows::float8 as non_cash_outflows,
  b.net_market_flows::float8 as net_market_flows, b.cash_adjustments::float8 as cash_adjustments,
  b.non_cash_adjustments::float8 as non_cash_adjustments,
  b.end_cash::float8 as end_cash, b.end_non_cash::float8 as end_non_cash,
  date_part('epoch', b.created_at) as created_at,
  date_part('epoch', b.updated_at) as updated_at,
  b.account_id, a.name as account_name, a.account_type`;

const WITH_ACCOUNT = `balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id`;

/** $1 person, $2 id. */
export const BY_ID = {
  name: 'balance-by-id',
  text: `select ${BALANCE_COLUMNS_SQL} from ${WITH_ACCOUNT} where b.user_id = $1 and b.id = $2`,
};

/**
 * The records of accounts' spans, and the revision they were read at. The limit says how few they are, which a planner
 * cannot know of the days: it would read whole histories.
 * $1 person, $2 accounts, $3 first and $4 last days, counted from 1970-01-01.
 */
export const BY_SPANS = {
  name: 'balances-by-spans',
  text: `
    select coalesce(r.revision, 0)::text as revision, record.*
    from (select $1::uuid as user_id) person
    left join user_revisions r using (user_id)
    left join (
      select ${BALANCE_COLUMNS_SQL}
      from unnest($2::uuid[], $3::integer[], $4::integer[]) as span(account_id, first_day, last_day)
      join accounts a on a.user_id = $1 and a.id = span.account_id
      cross join lateral (
        select * from balances
        where user_id = $1 and account_id = span.account_id
          and date between date '1970-01-01' + span.first_day and date '1970-01-01' + span.last_day
        order by date desc limit span.last_day - span.first_day + 1
      ) b
    ) record on true
    order by record.date desc, record.account_id`,
};

const MATCHES = `
  b.user_id = $1 and ($2::uuid is null or b.account_id = $2) and ($3::text is null or b.currency = $3)
  and ($4::date is null or b.date >= $4) and ($5::date is null or b.date <= $5)`;

/** All records of a filter. $1 person, then each filter or null: $2 account, $3 currency, $4 first and $5 last date. */
export const ALL = `select ${BALANCE_COLUMNS_SQL} from ${WITH_ACCOUNT} where ${MATCHES} order by b.date desc, b.account_id`;

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
