import { createHash } from 'node:crypto';
import { inSession } from '../../support/citus-nodes.js';

/** The tables of the service with their columns. */
export function listTables(url: string): Promise<{ name: string; columns: string[] }[]> {
  return inSession(url, async (session) => {
    const { rows } = await session.query<{ name: string; columns: string[] }>(`
      select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE' group by 1 order by 1`);
    return rows;
  });
}

/** All rows as text. The list of sessions and others is among them. */
export async function digestsOf(url: string): Promise<string[]> {
  const tables = await listTables(url);
  return inSession(url, async (session) => {
    await session.query(`set timezone = 'UTC'`);
    const digests: string[] = [];
    for (const { name } of tables) {
      const asText = { getTypeParser: () => (value: string) => value };
      const { rows } = await session.query({ text: `select * from ${name}`, rowMode: 'array', types: asText });
      const lines = rows.map((row) => JSON.stringify(row)).sort();
      digests.push(`${name} ${lines.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`);
    }
    return digests;
  });
}
