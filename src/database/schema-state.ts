import type pg from 'pg';
import type { TidemarkModule } from '../platform/module.js';
import { MIGRATIONS, migrationsWith } from './migrations/migrations.js';

/** A migration that a database has. */
export interface ExecutedMigration {
  name: string;
  /** The module that brought it; `null`: Tidemark itself. */
  module: string | null;
}

export interface SchemaState {
  /** Migrations of this program that the database lacks. */
  pending: string[];
  /** Why this program cannot use the database; `null`: it can. */
  foreign: Origin | null;
}

/** Where migrations come from that this program does not know, and what to do. */
export interface Origin {
  cause: string;
  advice: string;
  otherwise: string;
}

export async function readSchemaState(
  session: pg.ClientBase,
  modules: readonly TidemarkModule[],
): Promise<SchemaState> {
  const executed = await readMigrations(session);
  const names = new Set(executed.map(({ name }) => name));
  const pending = migrationsWith(modules).map(({ name }) => name);
  return { pending: pending.filter((name) => !names.has(name)), foreign: findForeign(executed, modules) };
}

/** Oldest first; none where Tidemark has not used the database yet. */
export async function readMigrations(session: pg.ClientBase): Promise<ExecutedMigration[]> {
  const { rowCount } = await session.query(
    `select 1 from pg_tables where schemaname = current_schema() and tablename = 'migrations'`,
  );
  if (rowCount === 0) return [];
  // As JSON, because builds from before the first release may not have the column.
  const { rows } = await session.query<ExecutedMigration>(
    `select name, to_jsonb(m) ->> 'module' as module from migrations m order by id`,
  );
  return rows;
}

/** @returns where those come from that this program does not know; `null`: it knows all of them */
export function findForeign(executed: readonly ExecutedMigration[], modules: readonly TidemarkModule[]): Origin | null {
  const known = new Set(migrationsWith(modules).map(({ name }) => name));
  const unknown = executed.filter(({ name }) => !known.has(name));
  const last = unknown.findLast(({ module }) => module === null) ?? unknown.at(-1);
  if (!last) return null;
  const { name, module } = last;
  if (!executed.some((migration) => migration.name === MIGRATIONS[0]!.name)) {
    return {
      cause: `a build of Tidemark from before the first release (${name})`,
      advice: 'start that build',
      otherwise: 'start this one on an empty database',
    };
  }
  const otherwise = 'restore a backup of this one into an empty database';
  if (module === null) {
    return { cause: `a newer version of Tidemark (${name})`, advice: 'start that version', otherwise };
  }
  return {
    cause: `the module "${module}" (${name}), which is not installed here`,
    advice: 'add it to src/modules.ts or tidemark.config.mjs again',
    otherwise: `take its tables out with modules:remove while it is listed, or ${otherwise}`,
  };
}

/** Stores which module each migration belongs to, for programs without that module. */
export async function noteModules(session: pg.ClientBase, modules: readonly TidemarkModule[]): Promise<void> {
  const known = modules.flatMap((module) => (module.migrations ?? []).map(({ name }) => [name, module.name] as const));
  await session.query(
    `update migrations m set module = known.module
     from unnest($1::text[], $2::text[]) known (name, module)
     where m.name = known.name and m.module is distinct from known.module`,
    [known.map(([name]) => name), known.map(([, module]) => module)],
  );
}
