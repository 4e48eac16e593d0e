/**
 * The columns of a balance and of its account one by one, as a usual project reads them. Amounts leave PostgreSQL as
 * float8, exact for every safe integer; instants as seconds, since it takes longer over writing their text than over all
 * the rest of a row.
 */
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
