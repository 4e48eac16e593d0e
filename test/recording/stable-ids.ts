import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { EntityManager } from '@mikro-orm/postgresql';

// Rows of the same moment are sorted by their ids. Ids that count up make that the order in which the rows were written.

let made = 0;

/** From now on, random ids of this process count up. What must be unguessable stays random. */
export function countIds(): void {
  crypto.randomUUID = () => {
    const digits = (++made).toString(16).padStart(8, '0');
    return `${digits}-0000-4000-8000-000000000000`;
  };
  Math.random = () => 0.5;
  syncBuiltinESMExports();
}

/** The same for ids that the database makes. */
export async function countIdsInDatabase(em: EntityManager): Promise<void> {
  await em.execute(`create sequence recording_ids`);
  await em.execute(`create function recording_id() returns uuid language sql as
    $$ select (lpad(to_hex(nextval('recording_ids')), 8, '0') || '-0000-4000-9000-000000000000')::uuid $$`);
  const columns: { name: string; column: string }[] = await em.execute(
    `select format('%I.%I', table_schema, table_name) as name, format('%I', column_name) as column
     from information_schema.columns where column_default = 'gen_random_uuid()'`,
  );
  for (const { name, column } of columns) {
    await em.execute(`alter table ${name} alter column ${column} set default recording_id()`);
  }
}
