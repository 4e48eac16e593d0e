import type pg from 'pg';
import type { Extension } from '../extension/extension.js';
import { MIGRATIONS, migrationsWith } from './migrations/migrations.js';

/** A migration that a database has. */
export interface ExecutedMigration {
  name: string;
  /** The extension that brought it; `null`: Tidemark itself. */
  extension: string | null;
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

export async function readSchemaState(session: pg.ClientBase, extensions: readonly Extension[]): Promise<SchemaState> {
  const executed = await readMigrations(session);
  const names = new Set(executed.map(({ name }) => name));
  const pending = migrationsWith(extensions).map(({ name }) => name);
  return { pending: pending.filter((name) => !names.has(name)), foreign: findForeign(executed, extensions) };
}

/** Oldest first; none where Tidemark has not used the database yet. */
export async function readMigrations(session: pg.ClientBase): Promise<ExecutedMigration[]> {
  const { rowCount } = await session.query(
    `select 1 from pg_tables where schemaname = current_schema() and tablename = 'migrations'`,
  );
  if (rowCount === 0) return [];
  // As JSON, because builds from before the first release may not have the column.
  const { rows } = await session.query<ExecutedMigration>(
    `select name, to_jsonb(m) ->> 'extension' as extension from migrations m order by id`,
  );
  return rows;
}

/** @returns where those come from that this program does not know; `null`: it knows all of them */
export function findForeign(executed: readonly ExecutedMigration[], extensions: readonly Extension[]): Origin | null {
  const known = new Set(migrationsWith(extensions).map(({ name }) => name));
  const unknown = executed.filter(({ name }) => !known.has(name));
  const last = unknown.findLast(({ extension }) => extension === null) ?? unknown.at(-1);
  if (!last) return null;
  const { name, extension } = last;
  if (!executed.some((migration) => migration.name === MIGRATIONS[0]!.name)) {
    return {
      cause: `a build of Tidemark from before the first release (${name})`,
      advice: 'start that build',
      otherwise: 'start this one on an empty database',
    };
  }
  const otherwise = 'restore a backup of this one into an empty database';
  if (extension === null) {
    return { cause: `a newer version of Tidemark (${name})`, advice: 'start that version', otherwise };
  }
  return {
    cause: `the extension "${extension}" (${name}), which is not installed here`,
    advice: 'add it to src/extensions.ts again',
    otherwise,
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
