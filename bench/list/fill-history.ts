import type pg from 'pg';
import { createPerson, type Person } from '../person.js';
import { showProgress } from '../progress.js';

const ACCOUNTS = 20;
const DAYS = 3_650;
const LAST_DATE = '2026-06-30';

/** A person with a key and 20 accounts. */
export async function createAccountHolder(client: pg.Client): Promise<Person> {
  const person = await createPerson(client);
  await client.query(
    `insert into accounts (user_id, id, provider, external_id, name, institution, currency, account_type)
     select $1, gen_random_uuid(), 'us_provider', 'A' || n, 'Account ' || n, 'Bank', 'USD',
       (array['depository', 'credit_card', 'investment'])[n % 3 + 1]
     from generate_series(1, $2) n`,
    [person.userId, ACCOUNTS],
  );
  return person;
}

/** Gives each account of a person its days of history, `rows` in all: about 73,000 are ten years. */
export async function fillHistory(client: pg.Client, { userId }: Person, rows = ACCOUNTS * DAYS): Promise<void> {
  await client.query(
    `insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, start_cash, start_non_cash,
       cash_inflows, cash_outflows, non_cash_inflows, non_cash_outflows, net_market_flows, cash_adjustments,
       non_cash_adjustments, end_cash, end_non_cash)
     select user_id, id, $3::date - day, 'USD', 1, true, own + day * 7, 5000000, 1200 + day % 300, 3400, 0, 0,
       12345, 0, 0, own + day * 7 + 1200 + day % 300 - 3400, 5012345
     from (select user_id, id, 100000 + 7919 * row_number() over () as own from accounts where user_id = $1) account
     cross join generate_series(0, $2 - 1) day`,
    [userId, Math.round(rows / ACCOUNTS), LAST_DATE],
  );
  // What the service keeps beside the records that it writes.
  await client.query(
    `insert into balance_spans (user_id, account_id, currency, first_date, last_date)
     select user_id, account_id, currency, min(date), max(date) from balances
     where user_id = $1 group by user_id, account_id, currency on conflict do nothing`,
    [userId],
  );
}

/** Other people's history around it, until the table has so many rows. Triggers would only slow the filling down. */
export async function fillTable(client: pg.Client, rows: number): Promise<void> {
  const counted = await client.query<{ count: string }>('select count(*) from balances');
  for (let count = Number(counted.rows[0]!.count); count < rows; count += ACCOUNTS * DAYS) {
    showProgress(`filling the table: ${count.toLocaleString('en')} of ${rows.toLocaleString('en')} rows`);
    const person = await createAccountHolder(client);
    await fillHistory(client, person, Math.min(ACCOUNTS * DAYS, rows - count));
  }
  showProgress('');
  await client.query('vacuum analyze');
}
