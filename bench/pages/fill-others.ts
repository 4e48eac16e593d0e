import type pg from 'pg';

/** Of each of the others. */
const ACCOUNTS = 3;
const DAYS = 300;

const OTHERS = [
  `create temporary table others as
   select gen_random_uuid() as id, gen_random_uuid() as connection_id from generate_series(1, $1::int)`,
  `insert into users (id, email, password_hash) select id, id || '@example.com', 'none' from others`,
  `insert into connections (user_id, id, provider, name, credential, credential_fingerprint, last_synced_at)
   select id, connection_id, 'us_provider', 'My banks', 'none', id::text, now() from others`,
  `insert into accounts (user_id, id, connection_id, provider, external_id, name, currency, account_type)
   select id, gen_random_uuid(), connection_id, 'us_provider', 'A' || n, 'Account ' || n, 'USD', 'depository'
   from others, generate_series(1, ${ACCOUNTS}) n`,
  `create temporary table days as
   select a.user_id, a.id as account_id, now() - day * interval '1 day' as at
   from accounts a join others on others.id = a.user_id, generate_series(0, ${DAYS - 1}) day`,
  `insert into transactions (user_id, account_id, external_id, date, amount_minor, currency, description, pending,
     first_seen_at)
   select user_id, account_id, 'T' || at::date, at::date, -500, 'USD', 'CARD PURCHASE', false, at from days`,
  `insert into observations (user_id, account_id, observed_at, day, currency, balance_minor, pending_minor, has_holdings, digest)
   select user_id, account_id, at, at::date, 'USD', 100000, '{}', false, at::text
   from days where extract(dow from at) = 1`,
  `insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, start_cash, start_non_cash,
     cash_inflows, cash_outflows, non_cash_inflows, non_cash_outflows, net_market_flows, cash_adjustments,
     non_cash_adjustments, end_cash, end_non_cash)
   select user_id, account_id, at::date, 'USD', 1, true, 100000, 0, 500, 500, 0, 0, 0, 0, 0, 100000, 0 from days`,
  `insert into balance_spans (user_id, account_id, currency, first_date, last_date)
   select user_id, account_id, currency, min(date), max(date) from balances join others on others.id = user_id
   group by user_id, account_id, currency`,
];

/** Other people in the same tables, each with three accounts and the history of most of a year. */
export async function fillOthers(client: pg.Client, people: number): Promise<void> {
  for (const statement of OTHERS) await client.query(statement, statement.includes('$1') ? [people] : []);
}
