import pg from 'pg';
import type { DatabaseSettings } from '../platform/config/database-settings.js';
import { EXIT_CONFIG, StartupError } from '../platform/config/startup-error.js';
import type { TidemarkModule } from '../platform/module.js';
import { type DatabaseAddress, directAddress, sharesSessions } from './address.js';
import { withPlainSession } from './plain-session.js';
import { readSchemaState } from './schema-state.js';

export const MIN_SERVER_VERSION = 15;
/** In any other, an account with a letter that it lacks could never be stored. */
export const ENCODING = 'UTF8';
/** Too short for the first statement of a session on a busy server, which sets the limits of the session. */
const MIN_STATEMENT_TIMEOUT_MS = 1_000;
/** Tidemark's schema for the queue. */
const JOB_SCHEMA = 'pgboss';
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
  /** Whether the user may do anything with the schema of the job queue, or there is none yet. */
  ownsJobSchema: boolean;
  /** Settings with which the user's sessions begin. */
  isolation: string;
  statementTimeoutMs: number;
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
      coalesce(
        (select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = '${JOB_SCHEMA}'), true
      ) as "ownsJobSchema",
      current_setting('default_transaction_isolation') as isolation,
      (select reset_val from pg_settings where name = 'statement_timeout')::integer as "statementTimeoutMs",
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

/** As SQL writes them. */
function quoted({ user, database }: ServerFacts): { user: string; database: string } {
  return { user: pg.escapeIdentifier(user), database: pg.escapeIdentifier(database) };
}

/** Defaults of the user with which the service would not work. `null`: none. */
export function findUnfitDefaults(facts: ServerFacts): MissingRights | null {
  const { isolation, statementTimeoutMs } = facts;
  const { user, database } = quoted(facts);
  const isTooShort = statementTimeoutMs > 0 && statementTimeoutMs < MIN_STATEMENT_TIMEOUT_MS;
  const unfit = [
    ...(isolation === 'read committed' ? [] : [['default_transaction_isolation', isolation, 'read committed']]),
    ...(isTooShort ? [['statement_timeout', String(statementTimeoutMs), '0']] : []),
  ];
  if (unfit.length === 0) return null;
  return {
    problem: `Sessions of the user ${facts.user} begin with ${unfit.map(([name, is]) => `${name} = ${is}`).join(' and ')}`,
    remedy: unfit.map(([name, , to]) => `alter role ${user} in database ${database} set ${name} to '${to}'`).join('; '),
  };
}

/** What keeps the user from creating tables beside those that there are. `null`: nothing. */
export function findMissingRights(facts: ServerFacts): MissingRights | null {
  const { schema, tablesIn } = facts;
  const { user, database } = quoted(facts);
  const setSearchPath = (to: string) => `alter role ${user} in database ${database} set search_path to ${to}`;
  // The first migrations create that of the job queue.
  const toCreateSchemas =
    tablesIn === null && !facts.mayCreateSchemas ? [`grant create on database ${database} to ${user}`] : [];
  if (tablesIn !== null && tablesIn !== schema) {
    return {
      problem: `The tables are in the schema ${tablesIn}, and the search path of the user ${facts.user} leads to ${schema}`,
      remedy: setSearchPath(pg.escapeIdentifier(tablesIn)),
    };
  }
  if (schema === null) {
    return {
      problem: `The search path of the user ${facts.user} leads to no schema`,
      remedy: [`create schema authorization ${user}`, setSearchPath(user), ...toCreateSchemas].join('; '),
    };
  }
  const grants = [
    ...(facts.ownsJobSchema ? [] : [`alter schema ${pg.escapeIdentifier(JOB_SCHEMA)} owner to ${user}`]),
    ...toCreateSchemas,
    ...(facts.mayCreateTables ? [] : [`grant create on schema ${pg.escapeIdentifier(schema)} to ${user}`]),
  ];
  if (grants.length === 0) return null;
  const problem = facts.ownsJobSchema
    ? `The user ${facts.user} may not create tables`
    : `The schema ${JOB_SCHEMA} of the job queue does not belong to the user ${facts.user}`;
  return { problem, remedy: grants.join('; ') };
}

/**
 * @returns the schema of the tables
 * @throws StartupError when the server is too old or read-only, the database cannot store every letter, or the user
 *   has unfit defaults or lacks rights for the migrations to come
 */
export async function checkServer(session: pg.ClientBase, modules: readonly TidemarkModule[]): Promise<string> {
  const facts = await readServerFacts(session);
  const { major, version, isReadOnly, encoding } = facts;
  if (major < MIN_SERVER_VERSION) {
    throw new StartupError(`The database server is PostgreSQL ${version}: use version ${MIN_SERVER_VERSION} or newer.`);
  }
  if (isReadOnly) {
    throw new StartupError(
      'The database is read-only: name the primary server in DATABASE_URL, not a replica, or lift default_transaction_read_only.',
    );
  }
  if (encoding !== ENCODING) {
    throw new StartupError(
      `The database has the encoding ${encoding}: make another with "${HOW_TO_MAKE_A_DATABASE}", ` +
        'restore a backup into it, and name it in DATABASE_URL.',
    );
  }
  const unfit = findUnfitDefaults(facts);
  if (unfit) throw new StartupError(`${unfit.problem}: ${howToGrant(unfit)}.`);
  const missing = findMissingRights(facts);
  const { pending } = await readSchemaState(session, modules);
  if (missing && pending.length > 0) {
    throw new StartupError(`${missing.problem}: ${howToGrant(missing)}.`);
  }
  // Without a schema every migration is pending.
  return facts.schema!;
}

export function howToGrant({ remedy }: MissingRights): string {
  return `run \`${remedy}\` as the owner of the database or a superuser`;
}
