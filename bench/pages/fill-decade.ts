import type pg from 'pg';
import type { Person } from '../person.js';

const YEARS = 10;

/** Facts only, as syncs would have left them: transactions on most days, what the bank reported, holdings of each month. */
const FACTS = [
  `select setseed(0.42)`,
  `insert into connections (user_id, id, provider, name, credential, credential_fingerprint, last_synced_at)
   values ($1, gen_random_uuid(), 'us_provider', 'My banks', 'none', 'none', now())`,
  `insert into accounts (user_id, id, connection_id, provider, external_id, name, institution, currency, account_type,
     holdings_supported, created_at)
   select $1, gen_random_uuid(), c.id, 'us_provider', 'A' || n,
     (array['Brokerage', 'Everyday Checking', 'Savings', 'Rewards Visa', 'Student Loan'])[n % 5 + 1] || ' ' || 4400 + n,
     'Tidewater Bank ' || n % 4, case when n > 16 then 'EUR' else 'USD' end,
     (array['investment', 'depository', 'depository', 'credit_card', 'loan'])[n % 5 + 1], n % 5 = 0,
     now() - interval '${YEARS} years'
   from connections c, generate_series(1, $2::int) n where c.user_id = $1`,
  `insert into transactions (user_id, account_id, external_id, date, amount_minor, currency, description, merchant,
     pending, first_seen_at)
   select user_id, id, 'T' || day::date, day::date,
     case when extract(day from day) = 1 then 200000 + floor(random() * 60000) else -(400 + floor(random() * 14000)) end,
     currency, 'CARD PURCHASE ' || floor(random() * 100000),
     (array['Corner Grocery', 'City Transit', 'Lattice Fiber', 'Maple Court', 'Payroll'])[1 + floor(random() * 5)],
     day > now() - interval '2 days', day
   from accounts, generate_series(now() - interval '${YEARS} years', now(), '1 day') day
   where user_id = $1 and random() < 0.7`,
  `create temporary table reports as
   select a.user_id, a.id as account_id, a.currency, a.account_type = 'investment' as invests, month as at,
     (case when a.account_type in ('credit_card', 'loan') then -2000000 else 900000 end + coalesce((
       select sum(amount_minor) from transactions t
       where t.user_id = a.user_id and t.account_id = a.id and not t.pending and t.date < month::date), 0))::bigint as cash,
     (4000000 + row_number() over (partition by a.id order by month) * 30000 + floor(random() * 400000))::bigint as worth
   from accounts a, generate_series(now() - interval '${YEARS} years' + interval '1 month', now(), '1 month') month
   where a.user_id = $1`,
  `insert into observations (user_id, account_id, observed_at, day, currency, balance_minor, pending_minor, has_holdings, digest)
   select user_id, account_id, at, at::date, currency, cash + case when invests then worth else 0 end, '{}', invests, at::text
   from reports`,
  `insert into holdings (user_id, account_id, report_number, external_id, symbol, name, quantity, value_minor, currency,
     cash_equivalent)
   select o.user_id, o.account_id, number, 'H' || n, 'FND' || n, 'Index Fund ' || n, 100 * n, worth * n / 6, o.currency, false
   from observations o join reports r on r.account_id = o.account_id and r.at = o.observed_at, generate_series(1, 3) n
   where has_holdings`,
];

/** What a person with so many accounts has after ten years; the history is not derived yet. */
export async function fillDecade(client: pg.Client, { userId }: Person, accounts: number): Promise<void> {
  for (const statement of FACTS) {
    const values = [userId, accounts].slice(0, statement.includes('$2') ? 2 : statement.includes('$1') ? 1 : 0);
    await client.query(statement, values);
  }
}
