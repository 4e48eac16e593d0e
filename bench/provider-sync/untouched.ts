import type pg from 'pg';

/** Facts and history: what a sync without news must leave as it is. */
const TABLES = ['transactions', 'observations', 'holdings', 'balances'];

/** Whether no row of a person's data was written meanwhile: every row is still of the transaction that wrote it before. */
export async function untouched(client: pg.Client, work: () => Promise<void>): Promise<boolean> {
  const before = await versions(client);
  await work();
  return (await versions(client)) === before;
}

async function versions(client: pg.Client): Promise<string> {
  const sums = TABLES.map((table) => `(select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from ${table})`);
  const { rows } = await client.query<{ versions: string }>(`select concat_ws(', ', ${sums.join(', ')}) as versions`);
  return rows[0]!.versions;
}
