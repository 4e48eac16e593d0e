import type { MigrationClass } from '../extension/extension.js';
import type { DatabaseAddress } from './address.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { withPlainSession } from './plain-session.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import type pg from 'pg';

export interface SchemaState {
  /** Migrations of this program that the database lacks. */
  pending: string[];
  /** Migrations of the database that this program does not know: it was used by a newer one. */
  unknown: string[];
}

export async function readSchemaState(
  session: pg.ClientBase,
  migrations: readonly MigrationClass[] = MIGRATIONS,
): Promise<SchemaState> {
  const { rows: found } = await session.query<{ found: string | null }>(`select to_regclass('migrations') as found`);
  const { rows } = found[0]!.found
    ? await session.query<{ name: string }>('select name from migrations order by id')
    : { rows: [] };
  const executed = new Set(rows.map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  return {
    pending: [...known].filter((name) => !executed.has(name)),
    unknown: [...executed].filter((name) => !known.has(name)),
  };
}

/** Whether the database has the migrations of this program, all of them and no other. */
export async function hasThisSchema(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  migrations: readonly MigrationClass[] = MIGRATIONS,
): Promise<boolean> {
  const read = (session: pg.ClientBase) => readSchemaState(session, migrations);
  const { pending, unknown } = await withPlainSession(address, settings, read);
  return pending.length + unknown.length === 0;
}
