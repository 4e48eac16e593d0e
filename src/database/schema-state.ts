import type pg from 'pg';
import type { Extension } from '../extension/extension.js';
import { migrationsWith } from './migrations/migrations.js';

/** A migration that a database has. */
export interface ExecutedMigration {
  name: string;
  /** The extension that brought it; `null`: Tidemark itself, or unknown because it is older than this column. */
  extension: string | null;
}

export interface SchemaState {
  /** Migrations of this program that the database lacks. */
  pending: string[];
  /** Migrations of the database that this program does not know. */
  unknown: ExecutedMigration[];
}

export async function readSchemaState(session: pg.ClientBase, extensions: readonly Extension[]): Promise<SchemaState> {
  const executed = await readMigrations(session);
  const names = new Set(executed.map(({ name }) => name));
  const pending = migrationsWith(extensions).map(({ name }) => name);
  return { pending: pending.filter((name) => !names.has(name)), unknown: unknownOf(executed, extensions) };
}

/** Oldest first; none where Tidemark has not used the database yet. */
export async function readMigrations(session: pg.ClientBase): Promise<ExecutedMigration[]> {
  if (!(await hasMigrations(session))) return [];
  // As JSON, because older databases do not have the column.
  const { rows } = await session.query<ExecutedMigration>(
    `select name, to_jsonb(m) ->> 'extension' as extension from migrations m order by id`,
  );
  return rows;
}

/** Whether Tidemark has used the database. */
export async function hasMigrations(session: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await session.query(
    `select 1 from pg_tables where schemaname = current_schema() and tablename = 'migrations'`,
  );
  return rowCount === 1;
}

export function unknownOf(
  executed: readonly ExecutedMigration[],
  extensions: readonly Extension[],
): ExecutedMigration[] {
  const known = new Set(migrationsWith(extensions).map(({ name }) => name));
  return executed.filter(({ name }) => !known.has(name));
}

/** Where migrations that this program does not know come from, and what to do. `null`: there are none. */
export function explainUnknown(unknown: readonly ExecutedMigration[]): { cause: string; advice: string } | null {
  const last = unknown.findLast(({ extension }) => extension === null) ?? unknown.at(-1);
  if (!last) return null;
  const { name, extension } = last;
  if (extension === null) return { cause: `a newer version of Tidemark (${name})`, advice: 'start that version' };
  return {
    cause: `the extension "${extension}" (${name}), which is not installed here`,
    advice: 'add it to src/extensions.ts again',
  };
}

/** Stores which extension each migration belongs to, for programs without that extension. */
export async function noteExtensions(session: pg.ClientBase, extensions: readonly Extension[]): Promise<void> {
  const known = extensions.flatMap(({ tag, migrations }) => migrations.map(({ name }) => [name, tag.name] as const));
  await session.query(
    `update migrations m set extension = known.extension
     from unnest($1::text[], $2::text[]) known (name, extension)
     where m.name = known.name and m.extension is distinct from known.extension`,
    [known.map(([name]) => name), known.map(([, extension]) => extension)],
  );
}
