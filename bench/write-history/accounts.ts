import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** A person's accounts with their facts: transactions over ten years, and one report. @returns their ids */
export async function createAccounts(client: pg.Client, userId: string, facts: Facts): Promise<string[]> {
  const { accounts, transactionsEach, days, today } = facts;
  const ids = Array.from({ length: accounts }, () => randomUUID());
  await client.query(
    `insert into accounts (user_id, id, provider, external_id, name, currency, account_type)
     select $1, id, 'us_provider', id::text, 'Account', 'USD', (array['depository', 'credit_card', 'loan'])[n % 3 + 1]
     from unnest($2::uuid[]) with ordinality as account(id, n)`,
    [userId, ids],
  );
  await client.query(
    `insert into transactions
       (user_id, account_id, external_id, date, amount_minor, currency, description, pending, first_seen_at)
     select $1, account_id, n::text, $5::date - (n * ($4::integer - 1) / greatest($3::integer - 1, 1)), (n * 7919) % 20011 - 10000, 'USD', 'Shop', false, now()
     from unnest($2::uuid[]) as account_id, generate_series(0, $3 - 1) n`,
    [userId, ids, transactionsEach, days, today],
  );
  await client.query(
    `insert into observations
       (user_id, account_id, observed_at, day, currency, balance_minor, pending_minor, has_holdings, digest)
     select $1, account_id, now(), $3, 'USD', 250000, '{}', false, '' from unnest($2::uuid[]) as account_id`,
    [userId, ids, today],
  );
  return ids;
}

export interface Facts {
  accounts: number;
  transactionsEach: number;
  /** How many days the transactions reach back. */
  days: number;
  /** Calendar day. */
  today: string;
}
