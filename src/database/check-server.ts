import type pg from 'pg';
import type { DatabaseSettings } from '../config/database-settings.js';
import { EXIT_CONFIG, StartupError } from '../config/startup-error.js';
import { type DatabaseAddress, directAddress, sharesSessions } from './address.js';
import { withPlainSession } from './plain-session.js';

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
  /** In the current schema; `null`: there is none. */
  mayCreateTables: boolean | null;
  maxConnections: number;
}

export async function readServerFacts(session: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await session.query<ServerFacts>(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer / 10000 as major,
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly",
      current_setting('server_encoding') as encoding,
      has_schema_privilege(current_schema(), 'create') as "mayCreateTables",
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

/** @throws StartupError when the server is too old or read-only, or the database cannot store every letter */
export async function checkServer(session: pg.ClientBase): Promise<void> {
  const { major, version, isReadOnly, encoding } = await readServerFacts(session);
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
}
