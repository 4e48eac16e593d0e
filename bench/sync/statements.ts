import type pg from 'pg';

/** Counts what it is asked; PostgreSQL loads it only at its start. */
export const STATEMENT_COUNTER = 'pg_stat_statements';

/** Begins to count the statements of everybody but the bench. */
export async function countStatements(client: pg.Client): Promise<void> {
  await client.query(`create extension ${STATEMENT_COUNTER}`);
  await client.query(`set ${STATEMENT_COUNTER}.track = none`);
}

/** How often each statement was run since the last call, the most frequent first. */
export async function statementsSince(client: pg.Client): Promise<{ text: string; calls: number }[]> {
  const { rows } = await client.query<{ text: string; calls: number }>(
    `select query as text, sum(calls)::integer as calls from ${STATEMENT_COUNTER} group by query order by 2 desc, 1`,
  );
  await client.query(`select ${STATEMENT_COUNTER}_reset()`);
  return rows;
}
