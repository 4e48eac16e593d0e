import pg from 'pg';
import type { DatabaseSettings } from '../config/database-settings.js';
import { EXIT_CONFIG, StartupError } from '../config/startup-error.js';
import type { Extension } from '../extension/extension.js';
import { type DatabaseAddress, directAddress, sharesSessions } from './address.js';
import { withPlainSession } from './plain-session.js';
import { readSchemaState } from './schema-state.js';

export const MIN_SERVER_VERSION = 15;
/** In any other, an account with a letter that it lacks could never be stored. */
export const ENCODING = 'UTF8';
export const HOW_TO_MAKE_A_DATABASE = `create database tidemark template template0 encoding '${ENCODING}' locale 'C.UTF-8'`;

export interface ServerFacts {
  /** In the server's own words. */
  version: string;
  major: number;
  isReadOnly: boolean;
  /** Of the database. */
  encoding: string;
  /** Where new tables are created; `null`: no schema of the search path exists and may be used. */
  schema: string | null;
  /** Where Tidemark's tables are; `null`: there are none yet. */
  tablesIn: string | null;
  mayCreateTables: boolean | null;
  mayCreateSchemas: boolean;
  user: string;
  database: string;
  maxConnections: number;
}

export async function readServerFacts(session: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await session.query<ServerFacts>(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer / 10000 as major,
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly",
      current_setting('server_encoding') as encoding,
      current_schema() as schema,
      (
        select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = to_regclass('user_revisions')
      ) as "tablesIn",
      has_schema_privilege(current_schema(), 'create') as "mayCreateTables",
      has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
      current_user as user, current_database() as database,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        as "maxConnections"`);
  return rows[0]!;
}

/** How often two sessions are compared: a pooler in use may give them different ones by chance. */
const COMPARISONS = 3;

/**
 * Session settings, prepared statements and LISTEN need a dedicated session. A pooler in transaction mode gives two
 * clients in turn the same session of the server.
 *
 * @throws StartupError when one is where the server itself should be
 */
export async function refuseSharedSessions(address: DatabaseAddress, settings: DatabaseSettings): Promise<void> {
  if (!('clientUrl' in directAddress(address))) return;
  const isShared = await withPlainSession(address, settings, (first) =>
    withPlainSession(address, settings, async (second) => {
      for (let comparison = 0; comparison < COMPARISONS; comparison++) {
        if ((await backendOf(first)) === (await backendOf(second))) return true;
      }
      return false;
    }),
  );
  if (!isShared) return;
  const [variable, advice] = sharesSessions(address)
    ? ['DATABASE_DIRECT_URL', 'name the server itself']
    : ['DATABASE_URL', 'set DATABASE_DIRECT_URL to the server itself, too'];
  throw new StartupError(
    `${variable} leads to a pooler that shares sessions between transactions: ${advice}.`,
    EXIT_CONFIG,
  );
}

async function backendOf(session: pg.ClientBase): Promise<number> {
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

interface MissingRights {
  problem: string;
  /** SQL for somebody with more rights. */
  remedy: string;
}

/** What keeps the user from creating tables beside those that there are. `null`: nothing. */
export function findMissingRights(facts: ServerFacts): MissingRights | null {
  const { schema, tablesIn } = facts;
  const [user, database] = [facts.user, facts.database].map((name) => pg.escapeIdentifier(name));
  const setSearchPath = (to: string) => `alter role ${user} in database ${database} set search_path to ${to}`;
  if (tablesIn !== null && tablesIn !== schema) {
    return {
      problem: `The tables are in the schema ${tablesIn}, and the search path of the user ${facts.user} leads to ${schema}`,
      remedy: setSearchPath(pg.escapeIdentifier(tablesIn)),
    };
  }
  if (schema === null) {
    return {
      problem: `The search path of the user ${facts.user} leads to no schema`,
      remedy: `create schema authorization ${user}; ${setSearchPath(user!)}`,
    };
  }
  const grants = [
    // The first migrations create that of the job queue.
    ...(tablesIn === null && !facts.mayCreateSchemas ? [`grant create on database ${database} to ${user}`] : []),
    ...(facts.mayCreateTables ? [] : [`grant create on schema ${pg.escapeIdentifier(schema)} to ${user}`]),
  ];
  if (grants.length === 0) return null;
  return { problem: `The user ${facts.user} may not create tables`, remedy: grants.join('; ') };
}

/**
 * @returns the schema of the tables
 * @throws StartupError when the server is too old or read-only, the database cannot store every letter, or the user
 *   lacks rights for the migrations to come
 */
export async function checkServer(session: pg.ClientBase, extensions: readonly Extension[]): Promise<string> {
  const facts = await readServerFacts(session);
  const { major, version, isReadOnly, encoding } = facts;
  if (major < MIN_SERVER_VERSION) {
    throw new StartupError(`The database server is PostgreSQL ${version}: use version ${MIN_SERVER_VERSION} or newer.`);
  }
  if (isReadOnly) {
    throw new StartupError('The database is read-only: name the primary server in DATABASE_URL, not a replica.');
  }
  if (encoding !== ENCODING) {
    throw new StartupError(
      `The database has the encoding ${encoding}: make another with "${HOW_TO_MAKE_A_DATABASE}", ` +
        'restore a backup into it, and name it in DATABASE_URL.',
    );
  }
  const missing = findMissingRights(facts);
  const { pending } = await readSchemaState(session, extensions);
  if (missing && pending.length > 0) {
    throw new StartupError(`${missing.problem}: ${howToGrant(missing)}.`);
  }
  // Without a schema every migration is pending.
  return facts.schema!;
}

export function howToGrant({ remedy }: MissingRights): string {
  return `run \`${remedy}\` as the owner of the database or a superuser`;
}
