import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';

/** A statement that each database connection parses and plans once, under a name of its own. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** Runs a prepared statement outside any transaction: for the few reads that every request of a list makes. */
export async function queryPrepared<Row extends QueryResultRow>(
  em: EntityManager,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = await em.getConnection().getNativeClient();
  const { rows } = await pool.query<Row>({ ...statement, values: [...values] });
  return rows;
}
