import type { EntityName, RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * Inserts any number of rows, all with the same properties, as one array for each column. Values in the text of a statement,
 * where MikroORM writes them, take PostgreSQL longer to read than to store.
 */
export async function insertRows<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  rows: readonly RequiredEntityData<Entity>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { tableName, properties } = em.getMetadata().get(entity);
  const given = Object.keys(first).map((name) => properties[name as keyof typeof properties]);
  const names = given.map(({ fieldNames }) => sql.ref(fieldNames[0]!));
  const arrays = given.map(({ name, columnTypes }) => {
    const values = rows.map((row) => (row as Record<string, unknown>)[name]);
    return sql`${values}::${sql.raw(columnTypes[0]!)}[]`;
  });
  await sql`insert into ${sql.table(tableName)} (${sql.join(names)}) select * from unnest(${sql.join(arrays)})`.execute(
    em.getKysely(),
  );
}

/** So many new rows change how a table is best read. */
const MANY_ROWS = 5_000;

/** After an insertion. Else the planner takes the table for as small as it was, and compares each row with each other one. */
export async function analyzeIfMany(em: EntityManager, table: string, inserted: number): Promise<void> {
  if (inserted > MANY_ROWS) await sql`analyze ${sql.table(table)}`.execute(em.getKysely());
}
