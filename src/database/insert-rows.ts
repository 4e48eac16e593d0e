import type { EntityName, RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** PostgreSQL takes 65,535 parameters, and no row of ours has more than thirteen. */
const MAX_ROWS_PER_STATEMENT = 5_000;

/** Inserts any number of rows. */
export async function insertRows<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  rows: RequiredEntityData<Entity>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT)
    await em.insertMany(entity, rows.slice(start, start + MAX_ROWS_PER_STATEMENT));
}

/** So many new rows change how a table is best read. */
const MANY_ROWS = 5_000;

/** After an insertion. Else the planner takes the table for as small as it was, and compares each row with each other one. */
export async function analyzeIfMany(em: EntityManager, table: string, inserted: number): Promise<void> {
  if (inserted > MANY_ROWS) await sql`analyze ${sql.table(table)}`.execute(em.getKysely());
}
