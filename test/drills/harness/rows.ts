import type pg from 'pg';

/** Copies a person's newest transaction until there are so many more of them. */
export async function addTransactions(client: pg.Client, email: string, count: number): Promise<void> {
  const { rowCount } = await client.query(
    `insert into transactions
       (user_id, account_id, external_id, date, amount_minor, currency, description, pending, first_seen_at)
     select t.user_id, t.account_id, 'drill-' || n, t.date - (n % 300)::int, -n, t.currency,
       repeat('A purchase with a long description. ', 6), false, t.first_seen_at
     from (
       select t.* from transactions t join users u on u.id = t.user_id where u.email = $1 order by date desc limit 1
     ) t, generate_series(1, $2::int) n`,
    [email, count],
  );
  if (rowCount !== count) throw new Error(`${rowCount} of ${count} transactions were added`);
}

export async function countRows(client: pg.Client, fromWhere: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${fromWhere}`, values);
  return Number(rows[0]!.count);
}
