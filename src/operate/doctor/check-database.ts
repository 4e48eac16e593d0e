import type pg from 'pg';
import type { AppSecrets } from '../../platform/config/app-secret.js';
import type { Config } from '../../platform/config/config.js';
import {
  ENCODING,
  findMissingRights,
  findUnfitDefaults,
  HOW_TO_MAKE_A_DATABASE,
  howToGrant,
  MIN_SERVER_VERSION,
  readServerFacts,
  type ServerFacts,
} from '../../database/check-server.js';
import { EVENTS_QUEUE } from '../../sync/events/module-events.service.js';
import { MODULES } from '../../modules.js';
import { readSchemaState, type SchemaState } from '../../database/schema-state.js';
import { WHAT_IS_FORGOTTEN } from '../../platform/vault/forget-lost.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import { countLostByTable, countSealedWith } from '../../sync/connections/credentials/reseal-credentials.js';
import type { Check } from '../../platform/module.js';
import { bad, good, judge } from './check.js';
import { clockProblem, measureClock, readDatabaseTime } from '../../database/clock-check.service.js';
import type { Clock } from '../../platform/time/clock.js';

/** Checks everything that a session with the database can show. */
export async function checkDatabase(
  session: pg.ClientBase,
  config: Config,
  secrets: AppSecrets | null,
  clock: Clock,
): Promise<Check[]> {
  const facts = await readServerFacts(session);
  const schema = await readSchemaState(session, MODULES);
  const hasTables = schema.pending.length === 0;
  return [
    checkServerFacts(facts),
    checkRights(facts, schema),
    checkSessions(facts, config),
    checkSchema(schema),
    ...(secrets && hasTables ? [await checkSecret(session, new CredentialVault(secrets))] : []),
    await checkClock(session, clock),
    ...(hasTables ? await checkModuleEvents(session) : []),
    ...(await checkModules(config, hasTables ? session : null)),
  ];
}

async function checkModules(config: Config, session: pg.ClientBase | null): Promise<Check[]> {
  const found: Check[] = [];
  for (const { checks } of MODULES) found.push(...((await checks?.(config, session)) ?? []));
  return found;
}

function checkServerFacts({ version, major, encoding }: ServerFacts): Check {
  if (encoding !== ENCODING) {
    const another = `Make another with "${HOW_TO_MAKE_A_DATABASE}", restore a backup into it, and name it in DATABASE_URL.`;
    return bad('database', `The database has the encoding ${encoding}.`, another);
  }
  const advice = `Use PostgreSQL ${MIN_SERVER_VERSION} or newer.`;
  return judge('database', major >= MIN_SERVER_VERSION, `PostgreSQL ${version} answers.`, advice);
}

function checkRights(facts: ServerFacts, { pending }: SchemaState): Check {
  if (facts.isReadOnly) return bad('rights', 'The server is read-only.', 'Name the primary server in DATABASE_URL.');
  const unfit = findUnfitDefaults(facts);
  if (unfit) return bad('rights', `${unfit.problem}.`, `To change that, ${howToGrant(unfit)}.`);
  const missing = findMissingRights(facts);
  if (!missing) return good('rights', 'Tables can be created and written.');
  // Until the next version with a migration, nothing is missing.
  return (pending.length === 0 ? good : bad)(
    'rights',
    `${missing.problem}.`,
    `To change that, ${howToGrant(missing)}.`,
  );
}

function checkSessions({ maxConnections }: ServerFacts, { database: { poolMax } }: Config): Check {
  const message = `One instance opens up to ${poolMax} sessions, the server allows ${maxConnections}.`;
  const advice = 'Lower DATABASE_POOL_MAX, or raise max_connections of the server.';
  return judge('sessions', poolMax < maxConnections, message, advice);
}

function checkSchema({ pending, foreign }: SchemaState): Check {
  if (foreign) {
    const advice = `To go on, ${foreign.advice}; or ${foreign.otherwise}.`;
    return bad('migrations', `The database was changed by ${foreign.cause}.`, advice);
  }
  if (pending.length === 0) return good('migrations', 'The database is up to date.');
  return good('migrations', `${pending.length} migrations are pending.`, 'The next start runs them.');
}

async function checkSecret(session: pg.ClientBase, vault: CredentialVault): Promise<Check> {
  const lost = await countLostByTable(session, vault);
  if (lost.length > 0) {
    const named = lost.map(([what, count]) => `${what}: ${count}`).join(', ');
    const message = `Credentials were sealed with another APP_SECRET (${named}).`;
    const advice = 'Set APP_SECRET to it, or to a list "new,old" with it. If it is lost: secrets:rotate --forget-lost';
    return bad('secret', message, `${advice}; then ${WHAT_IS_FORGOTTEN}.`);
  }
  const { [vault.keyIds[0]]: newest = 0, ...others } = await countSealedWith(session);
  const older = Object.values(others).reduce((sum, count) => sum + count, 0);
  if (older === 0) return good('secret', `It opens all of the ${newest} stored credentials.`);
  return good('secret', `${older} credentials are under an older secret of the list.`, 'Run secrets:rotate.');
}

async function checkClock(session: pg.ClientBase, clock: Clock): Promise<Check> {
  const aheadMs = await measureClock(clock, () => readDatabaseTime(session));
  if (aheadMs === null) return bad('clock', 'The database answers too slowly to compare clocks.', 'Run doctor again.');
  const message = `This machine and the database differ by ${(Math.abs(aheadMs) / 1000).toFixed(1)} s.`;
  const advice = 'Synchronize both clocks with NTP: until then the service changes nothing.';
  return judge('clock', clockProblem(aheadMs) === null, message, advice);
}

/** One check for each module that cannot take in what has changed; a good one where none listens or all is well. */
export async function checkModuleEvents(session: pg.ClientBase): Promise<Check[]> {
  const name = 'module events';
  const { rows: has } = await session.query<{ yes: boolean }>(HAS_JOBS);
  const { rows } = has[0]!.yes ? await session.query<EventFailure>(FAILED_EVENTS) : { rows: [] };
  if (rows.length === 0) return [good(name, 'No module is behind because of an error.')];
  return rows.map(({ module, people, problem }) => {
    const whom = people === 1 ? '1 person' : `${people} people`;
    const message = `The module ${module} could not take in what changed for ${whom}: ${problem}`;
    return bad(name, message, 'It is notified again, later and later; it may need an update.');
  });
}

interface EventFailure {
  module: string;
  people: number;
  /** Of the last failure. */
  problem: string;
}

const FAILED_EVENTS = `
  select module, count(*)::integer as people, (array_agg(problem order by created_on desc))[1] as problem
  from (
    select distinct on (data ->> 'module', data ->> 'userId') data ->> 'module' as module, state, created_on,
      output ->> 'message' as problem
    from pgboss.job where name = '${EVENTS_QUEUE}' order by data ->> 'module', data ->> 'userId', created_on desc
  ) newest
  where state in ('retry', 'failed') group by module order by module`;

/** Of the jobs, for which the first start of the service makes tables. */
const HAS_JOBS = `select to_regclass('pgboss.job') is not null as yes`;
