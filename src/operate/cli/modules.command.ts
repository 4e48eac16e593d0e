import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { type DatabaseAddress, SESSION_NAME } from '../../database/address.js';
import { withPlainSession } from '../../database/plain-session.js';
import { readMigrations } from '../../database/schema-state.js';
import { ormOptions } from '../../database/orm-options.js';
import { RefusedError, UsageError, type Values } from '../../platform/command.js';
import type { DatabaseSettings } from '../../platform/config/database-settings.js';
import type { CommandContext, TidemarkModule } from '../../platform/module.js';
import { readCliConfigInUse, withDatabase } from './with-database.js';

const ROWS_AT_ONCE = 1_000;

interface ListedModule {
  name: string;
  /** Versions of the kit; `null`: any. */
  needs: string | null;
  /** Whether src/modules.ts or tidemark.config.mjs lists it. */
  installed: boolean;
  /** How many of its migrations the database has. */
  migrations: number;
}

/** Modules of this installation, and those of which the database has tables. */
export async function listModules({ lifecycle, modules }: CommandContext): Promise<{ modules: ListedModule[] }> {
  const config = await readCliConfigInUse(modules);
  const read = (address: DatabaseAddress) => withPlainSession(address, config.database, readMigrations);
  const executed = await lifecycle.unlessStopping(withDatabase('reads', config, lifecycle, read));
  const names = new Set([...modules.map(({ name }) => name), ...executed.flatMap(({ module }) => module ?? [])]);
  return {
    modules: [...names].sort().map((name) => {
      const known = modules.find((module) => module.name === name);
      const migrations = executed.filter(({ module }) => module === name).length;
      return { name, needs: known?.needs ?? null, installed: known !== undefined, migrations };
    }),
  };
}

interface RemovedModule {
  module: string;
  tables: string[];
  rows: number;
  /** With all rows, one JSON object a line. */
  file: string;
}

/** Writes the tables of a module to a file, and takes them and all else that the database has of it out. */
export async function removeModule(values: Values, { lifecycle, modules }: CommandContext): Promise<RemovedModule> {
  const { NAME: name = '', yes, file = `${name}-removed.ndjson` } = values;
  const module = modules.find((one) => one.name === name);
  if (!module) {
    throw new RefusedError(
      `${name} is not among the modules of this installation. List it again first: only the module knows its tables.`,
    );
  }
  if (yes !== name)
    throw new UsageError(`Everything that ${name} stores is deleted. Say --yes ${name} if you mean it.`);
  const config = await readCliConfigInUse(modules);
  const remove = (address: DatabaseAddress) => {
    const tables = tablesOf(module, address, config.database);
    return withPlainSession(address, config.database, (session) => takeOut(session, module, tables, file), 'migration');
  };
  return lifecycle.unlessStopping(withDatabase('writes', config, lifecycle, remove));
}

export function tablesOf(
  { entities = [] }: TidemarkModule,
  address: DatabaseAddress,
  settings: DatabaseSettings,
): string[] {
  const orm = new MikroORM(ormOptions(address, settings, { entities: [...entities] }));
  return [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
}

/** @throws RefusedError while an instance runs, and where the file exists already */
export async function takeOut(
  session: pg.ClientBase,
  { name, scopes = {} }: TidemarkModule,
  tables: readonly string[],
  file: string,
): Promise<RemovedModule> {
  await session.query('begin');
  const { rows: serving } = await session.query(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`,
    [SESSION_NAME],
  );
  if (serving.length > 0)
    throw new RefusedError(`An instance uses the database. Stop all of them, then remove ${name}.`);
  const all = tables.map((table) => session.escapeIdentifier(table)).join(', ');
  if (all) await session.query(`lock table ${all} in access exclusive mode`);
  const rows = await writeRows(session, tables, file);
  if (all) await session.query(`drop table ${all}`);
  await session.query('delete from migrations where module = $1', [name]);
  await session.query('delete from module_cursors where module = $1', [name]);
  await session.query(
    `update api_keys set scopes = array(select scope from unnest(scopes) scope where scope <> all($1)) where scopes && $1`,
    [Object.keys(scopes)],
  );
  await session.query('commit');
  return { module: name, tables: [...tables], rows, file };
}

/** One JSON object a line, with the name of its table. */
async function writeRows(session: pg.ClientBase, tables: readonly string[], file: string): Promise<number> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  await once(stream, 'open').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new RefusedError(code === 'EEXIST' ? `${file} exists already. Name another one with --file.` : message);
  });
  let count = 0;
  for (const table of tables) {
    await session.query(
      `declare removed cursor for select jsonb_build_object('table', ${session.escapeLiteral(table)}, 'row', to_jsonb(t))::text as line
       from ${session.escapeIdentifier(table)} t`,
    );
    for (;;) {
      const { rows } = await session.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from removed`);
      if (rows.length === 0) break;
      count += rows.length;
      if (!stream.write(rows.map(({ line }) => `${line}\n`).join(''))) await once(stream, 'drain');
    }
    await session.query('close removed');
  }
  stream.end();
  await finished(stream);
  return count;
}
