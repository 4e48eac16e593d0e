import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import { ModuleRef } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import { createApp } from '../app.setup.js';
import { ApiKeyAuthenticationService } from '../auth/api-key-authentication.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { hashPassword } from '../auth/password.js';
import { SCOPES } from '../auth/scopes.js';
import { SessionsService } from '../auth/sessions.service.js';
import { ToolsService } from '../auth/tools.service.js';
import { User } from '../auth/user.entity.js';
import { UsersService } from '../auth/users.service.js';
import { Account } from '../balances/accounts/account.entity.js';
import type { DatabaseAddress } from '../database/address.js';
import { noteChanges } from '../database/change-log/note-changes.js';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { reader } from '../database/reader.js';
import { MODULES } from '../modules.js';
import { listen } from '../operate/bootstrap/listen.js';
import { secretsOf } from '../platform/config/app-secret.js';
import { readConfig } from '../platform/config/config.js';
import type { Values } from '../platform/command.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import { type Get, getterOf, Installed, type Scope, type TidemarkModule } from '../platform/module.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../platform/time/calendar-date.js';
import { Clock } from '../platform/time/clock.js';
import type { SnapshotAccount } from '../providers/bank-provider.js';
import { PROVIDERS } from '../providers/installed.js';
import type { ProviderDescriptor } from '../providers/provider-descriptor.js';
import { Connection } from '../sync/connections/connection.entity.js';
import { ModuleEvents } from '../sync/events/module-events.service.js';
import { type AccountWrite, IngestAccountService } from '../sync/ingest/ingest-account.service.js';
import { MergeAccountsService } from '../sync/ingest/merge/merge-accounts.service.js';
import { PersonalDataExportService } from '../web/settings/personal-data-export.service.js';
import { BUSY_MACHINE_LIMITS } from './busy-machine.js';
import { formOf, Visitor } from './visitor.js';
import { type GuardedTable, guardNotedWrites } from './guard-noted-writes.js';

/**
 * What the tests of a module start: the whole service with the module, on a PostgreSQL of its own. Its clock stands still
 * on 15 March 2026, nothing is done at a time of its own, and requests are not limited. Works with any test runner.
 *
 * @example
 *   const tidemark = await startTidemark([goals]);
 *   const person = await tidemark.person();
 *   const [accountId] = await tidemark.bank(person, [{ name: 'Savings', balance: 1_250_00 }]);
 *   await person.post('/api/v1/goals', { account_id: accountId, name: 'Roof', target_cents: 5_000_00 });
 *   await tidemark.settle();
 *   await tidemark.stop();
 */

/** A clock that stands still until a test moves it. @example tidemark.clock.set('2026-04-01T12:00:00Z') */
export class StillClock extends Clock {
  constructor(private instant = new Date('2026-03-15T12:00:00Z')) {
    super();
  }

  now(): Date {
    return new Date(this.instant);
  }

  set(text: string): void {
    this.instant = new Date(text);
  }
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // Answers are untyped JSON on purpose: tests read them as a client would.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** A person with an API key, as a client sees the service. @example (await person.get('/api/v1/accounts')).body */
export class Person {
  constructor(
    protected readonly url: string,
    readonly userId: string,
    readonly key: string,
    /** Of the person. */
    readonly email = '',
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.send(path, { headers });
  }

  post(path: string, body: unknown = {}): Promise<TestAnswer> {
    return this.#write('POST', path, body);
  }

  put(path: string, body: unknown): Promise<TestAnswer> {
    return this.#write('PUT', path, body);
  }

  patch(path: string, body: unknown): Promise<TestAnswer> {
    return this.#write('PATCH', path, body);
  }

  delete(path: string): Promise<TestAnswer> {
    return this.send(path, { method: 'DELETE' });
  }

  /** Sends a form with a file, in the field `file`. */
  upload(path: string, fields: Record<string, string>, file: File): Promise<TestAnswer> {
    return this.send(path, { method: 'POST', body: formOf(fields, file) });
  }

  #write(method: string, path: string, body: unknown): Promise<TestAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(path, { method, headers: { 'Content-Type': 'application/json' }, body: text });
  }

  protected async send(path: string, init: RequestInit): Promise<TestAnswer> {
    const headers = { 'X-Api-Key': this.key, ...(init.headers as Record<string, string>) };
    return readAnswer(await fetch(this.url + path, { redirect: 'manual', ...init, headers }));
  }
}

export async function readAnswer(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as object) : text };
}

/** What a bank lists of an account. Amounts are in the minor unit. Missing: a checking account in dollars, without rows. */
export interface ListedAccount {
  /** The account is known again by its name. */
  name?: string;
  currency?: string;
  /** Today. */
  balance?: number;
  /** The whole list since 2024. A row is known again by its id, or by its place in the list. */
  transactions?: readonly {
    id?: string;
    date: CalendarDate;
    amount: number;
    description?: string;
    pending?: boolean;
  }[];
}

/** A running service, for tests. */
export interface Tidemark {
  readonly app: NestExpressApplication;
  /** Where it listens. */
  readonly url: string;
  readonly clock: StillClock;
  /** Gives an injectable of the application. */
  readonly get: Get;
  /** An entity manager outside of any transaction. */
  em: () => EntityManager;
  /** A new person with a key. @param of.scopes missing: all */
  person: (of?: { scopes?: readonly Scope[]; timeZone?: string }) => Promise<Person>;
  /** The person's browser, signed in. @example (await (await tidemark.browser(person)).get('/goals')).text */
  browser: (person: Person) => Promise<Visitor>;
  /** Stores what the person's bank lists, as a sync at the clock's time would. @returns the ids of the accounts */
  bank: (person: Person, accounts: readonly ListedAccount[]) => Promise<string[]>;
  /** Tells modules of everything that has happened. */
  settle: () => Promise<void>;
  /** Does a task of a module, now. */
  run: (task: string) => Promise<void>;
  /** What the export of the person has. @example (await tidemark.exported(person)).filter(({ type }) => type === 'goal') */
  exported: (person: Person) => Promise<readonly ({ type: string } & Record<string, unknown>)[]>;
  /** Merges one account into another, whose bank is taken for gone, as the person does when a bank has a new connection. */
  merge: (person: Person, fromId: string, intoId: string) => Promise<void>;
  /** Uses a tool of assistants. @example await tidemark.tool(person, 'list_goals', { per_page: '10' }) */
  tool: (person: Person, name: string, parameters?: Record<string, string>) => Promise<object>;
  /** Runs a command of a module in this application. @example await tidemark.command('goals:list', { email: person.email }) */
  command: (name: string, values?: Values) => Promise<object>;
  stop: () => Promise<void>;
}

/** A command that starts something of its own is tested as a process. */
const NO_LIFECYCLE = { stopping: new AbortController().signal } as Lifecycle;
const SECRET = 'the root secret of the tests';

/** Nothing ticks; the limit of requests is far away, since the minute of a clock that stands still never ends. */
export const TEST_ENVIRONMENT = {
  CLOCK_CHECK: 'off',
  PORT: '0',
  // The cause of a 500.
  LOG_LEVEL: 'error',
  SYNC_CRON: 'off',
  // No test asks the central bank.
  RATES_URL: '/nowhere',
  RATE_LIMIT_PER_MINUTE: '1000000',
  ...BUSY_MACHINE_LIMITS,
};

export interface StartOptions {
  /** Settings beside those of tests. */
  environment?: NodeJS.ProcessEnv;
  clock?: StillClock;
  /** With the migrations of the modules. Missing: a new one, which goes with `stop`. */
  database?: DatabaseAddress;
  providers?: readonly ProviderDescriptor[];
  /** As in APP_SECRET. */
  secrets?: readonly string[];
}

/** Starts the service with these modules beside those that are installed. */
export async function startTidemark(
  modules: readonly TidemarkModule[] = [],
  {
    environment = {},
    clock = new StillClock(),
    database,
    providers = PROVIDERS,
    secrets = [SECRET],
  }: StartOptions = {},
): Promise<Tidemark> {
  // One that is tested may be installed as well.
  const installed = [...new Set([...MODULES, ...modules])];
  const config = readConfig(providers, installed, {}, { ...TEST_ENVIRONMENT, ROLE: 'api', ...environment });
  const own = database ? null : await startOwnServer();
  let app: NestExpressApplication | null = null;
  try {
    const address = database ?? own!.address;
    if (own || modules.length > 0) await migrate(address, config.database, { modules: installed });
    app = await createApp({ config, secrets: secretsOf(secrets), database: address, clock, modules: installed });
    const url = await listen(app, config);
    // A test that begins at the minute of a nightly task would have it beside itself.
    for (const job of app.get(SchedulerRegistry, { strict: false }).getCronJobs().values()) await job.stop();
    await guardNotedWrites(reader(app.get(EntityManager)), guardedTables(installed));
    return running(app, url, clock, own?.stop);
  } catch (error) {
    await app?.close();
    await own?.stop();
    throw error;
  }
}

/** In a new folder; it is not durable. */
async function startOwnServer(): Promise<{ address: DatabaseAddress; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-testing-'));
  const { stop, ...address } = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  return {
    address,
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function running(
  app: NestExpressApplication,
  url: string,
  clock: StillClock,
  stopServer: (() => Promise<void>) | undefined,
): Tidemark {
  const stop = async () => {
    await app.close();
    await stopServer?.();
  };
  let stopping: Promise<void> | null = null;
  const get = getterOf(app.get(ModuleRef));
  const em = () => reader(app.get(EntityManager));
  return {
    app,
    url,
    clock,
    get,
    em,
    person: async ({ scopes = [...SCOPES], timeZone = 'UTC' } = {}) => {
      const { userId, key, email } = await createPerson(app, scopes, timeZone);
      return new Person(url, userId, key, email);
    },
    browser: async ({ userId }) => {
      const user = await em().findOneOrFail(User, { id: userId });
      return new Visitor(url, (await get(SessionsService).begin(user)) ?? undefined);
    },
    bank: (person, accounts) => list({ app, em, clock }, person.userId, accounts),
    settle: () => get(ModuleEvents).settle(),
    run: async (name) => {
      const task = get(Installed)
        .parts.flatMap(({ tasks = [] }) => tasks)
        .find((one) => one.name === name);
      if (!task) throw new Error(`No module has a task ${name}.`);
      await task.run(get, new AbortController().signal);
    },
    exported: async ({ userId }) => {
      const lines: string[] = [];
      for await (const some of get(PersonalDataExportService).lines(userId)) lines.push(some);
      return lines
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string });
    },
    merge: async ({ userId }, replacementId, disconnectedId) => {
      await em().nativeUpdate(Account, { userId, id: disconnectedId }, { status: 'missing' });
      const today = dateInTimeZone(clock.now(), 'UTC');
      await get(MergeAccountsService).merge(userId, [{ disconnectedId, replacementId }], today);
    },
    tool: async ({ key }, name, parameters = {}) => {
      const caller = await get(ApiKeyAuthenticationService).authenticate(key);
      const tool =
        caller &&
        get(ToolsService)
          .list(caller)
          .find((one) => one.name === name);
      if (!tool) throw new Error(`No module has a tool ${name} that the key may use.`);
      return tool.read(parameters);
    },
    command: async (name, values = {}) => {
      const { modules } = get(Installed);
      const command = modules
        .flatMap(({ commands = {} }) => Object.entries(commands))
        .find(([one]) => one === name)?.[1];
      if (!command) throw new Error(`No module has a command ${name}.`);
      command.check?.(values);
      return command.run(values, { lifecycle: NO_LIFECYCLE, modules, inApplication: (work) => work(app) });
    },
    stop: () => (stopping ??= stop()),
  };
}

const PASSWORD = 'correct horse';
/** Hashing takes as long as all else about a person. */
let passwordHash: string | undefined;

export async function createPerson(
  app: NestExpressApplication,
  scopes: readonly Scope[],
  timeZone: string,
): Promise<{ userId: string; key: string; email: string }> {
  passwordHash ??= await hashPassword(PASSWORD);
  const email = `person-${randomUUID()}@example.com`;
  const user = { email, passwordHash, timeZone };
  const { id: userId } = await app.get(EntityManager).transactional(() => app.get(UsersService).insert(user));
  const { key } = await app.get(ApiKeysService).create(userId, { name: 'test', scopes: [...scopes], expiresAt: null });
  return { userId, key, email };
}

type Service = Pick<Tidemark, 'app' | 'em' | 'clock'>;

let connections = 0;

/** A connection as the service would have stored it; its credential opens nothing. */
export async function createConnection(
  { em, clock }: Pick<Service, 'em' | 'clock'>,
  userId: string,
  more: Partial<Pick<Connection, 'provider'>> = {},
): Promise<Connection> {
  return em().transactional((em) => {
    noteChanges(userId, { kind: 'connections' });
    const connection = em.create(Connection, {
      userId,
      id: randomUUID(),
      provider: 'us_provider',
      name: 'Test bank',
      status: 'active',
      statusReason: null,
      credential: 'none',
      credentialFingerprint: String(++connections),
      credentialSince: clock.now(),
      serverVersions: null,
      includePending: true,
      historyDays: 730,
      lastSyncedAt: null,
      nextSyncAt: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      ...more,
    });
    em.persist(connection);
    return Promise.resolve(connection);
  });
}

/** Stores what a sync would have brought at the clock's time, and derives the history. */
export async function writeSnapshot(
  { app, em, clock }: Service,
  connection: Connection,
  snapshot: SnapshotAccount,
  timeZone = 'UTC',
): Promise<AccountWrite> {
  const at = clock.now();
  const { userId, id: connectionId } = connection;
  const isWholeHistory = (await em().count(Account, { userId, connectionId, externalId: snapshot.externalId })) === 0;
  const days = { day: dateInTimeZone(at, timeZone), utcDay: dateInTimeZone(at, 'UTC'), timeZone, datesAs: null };
  const historyFrom = addDays(days.utcDay, -connection.historyDays);
  const moment = { at, ...days, historyFrom, isWholeHistory };
  return app.get(IngestAccountService).ingest(em(), connection, snapshot, moment);
}

/** The person's first connection is the bank. */
async function list(service: Service, userId: string, accounts: readonly ListedAccount[]): Promise<string[]> {
  const known = await service.em().findOne(Connection, { userId });
  const connection = known ?? (await createConnection(service, userId));
  const ids: string[] = [];
  for (const account of accounts) ids.push((await writeSnapshot(service, connection, snapshotOf(account))).accountId);
  return ids;
}

function snapshotOf({
  name = 'Checking',
  currency = 'USD',
  balance,
  transactions = [],
}: ListedAccount): SnapshotAccount {
  return {
    externalId: name,
    name,
    institution: 'Test bank',
    currency,
    balance: balance === undefined ? null : { amountMinor: balance, availableMinor: null, date: null },
    suggestedType: 'depository',
    transactions: transactions.map(({ id, date, amount, description = 'Shop', pending = false }, place) => ({
      externalId: id ?? `${name} ${place}`,
      date,
      amountMinor: amount,
      currency,
      description,
      merchant: null,
      pending,
    })),
    covered: [{ from: '2024-01-01', until: '9999-12-31' }],
    unreadableRows: 0,
    holdings: { status: 'unavailable' },
  };
}

/** The tables of records that modules have in the change feed. */
function guardedTables(modules: readonly TidemarkModule[]): GuardedTable[] {
  const covers = (kind: string) => `c.kind = '${kind}' and (c.ids is null or (shown ->> 'id')::uuid = any(c.ids))`;
  return modules.flatMap(({ changes = [] }) => changes.map(({ kind, table }) => ({ table, covers: covers(kind) })));
}
