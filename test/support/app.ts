import { EntityManager } from '@mikro-orm/postgresql';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import { secretsOf } from '../../src/platform/config/app-secret.js';
import { createApp } from '../../src/app.setup.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { type Scope, SCOPES } from '../../src/auth/scopes.js';
import { hashPassword } from '../../src/auth/password.js';
import { UsersService } from '../../src/auth/users.service.js';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { MODULES } from '../../src/modules.js';
import type { TidemarkModule } from '../../src/platform/module.js';
import { listen } from '../../src/operate/bootstrap/listen.js';
import { PROVIDERS } from '../../src/providers/installed.js';
import { Clock } from '../../src/platform/time/clock.js';
import { BUSY_MACHINE_LIMITS } from './busy-machine.js';
import { guardChanges } from './change-guard.js';
import { agreeOnCommitted, checkContract } from './check-contract.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** A clock that stands still until a test moves it. */
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

export interface TestApp {
  app: NestExpressApplication;
  /** Where it really listens. */
  url: string;
  clock: StillClock;
  em: () => EntityManager;
  database: TestDatabase;
  /** A second call waits for the same end. */
  stop: () => Promise<void>;
}

// The minute of a clock that stands still never ends: the limit is far away.
export const TEST_ENVIRONMENT = {
  CLOCK_CHECK: 'off',
  PORT: '0',
  LOG_LEVEL: 'silent',
  SYNC_CRON: 'off',
  RATE_LIMIT_PER_MINUTE: '1000000',
  ...BUSY_MACHINE_LIMITS,
};

/** What an app needs to speak with a provider on this machine. */
export const LOCAL_PROVIDER = { PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '*' };

/** The whole application on its own database, or as one more instance on another's, listening on a free port. */
export async function startTestApp(
  environment: NodeJS.ProcessEnv = {},
  clock = new StillClock(),
  beside?: TestDatabase,
  providers = PROVIDERS,
  appSecrets: readonly string[] = ['the root secret of the tests'],
  modules: readonly TidemarkModule[] = MODULES,
): Promise<TestApp> {
  const database = beside ?? (await createTestDatabase());
  const config = readConfig(providers, modules, {}, { ...TEST_ENVIRONMENT, ...environment });
  const secrets = secretsOf(appSecrets);
  if (modules !== MODULES) await migrate(database.address, config.database, { modules });
  const app = await createApp({ config, secrets, database: database.address, clock, modules });
  const url = await listen(app, config);
  // A test that begins at the minute of a nightly task would have it beside itself.
  for (const job of app.get(SchedulerRegistry, { strict: false }).getCronJobs().values()) await job.stop();
  if (providers === PROVIDERS && modules === MODULES) agreeOnCommitted(url);
  // With GUARD_CHANGES=1 every test of the application fails that changes a row without noting it.
  if (process.env['GUARD_CHANGES'] && !beside) await guardChanges({ em: () => app.get(EntityManager).fork() });
  const stop = async () => {
    await app.close();
    if (!beside) await database.drop();
  };
  let stopping: Promise<void> | null = null;
  return {
    app,
    url,
    clock,
    em: () => app.get(EntityManager).fork(),
    database,
    stop: () => (stopping ??= stop()),
  };
}

/** The same with more modules, which no other test has. */
export function startTestAppWith(
  modules: readonly TidemarkModule[],
  environment: NodeJS.ProcessEnv = {},
  beside?: TestDatabase,
): Promise<TestApp> {
  return startTestApp(environment, undefined, beside, PROVIDERS, undefined, [...MODULES, ...modules]);
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // Answers are untyped JSON on purpose: tests read them as a client would.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** A person with an API key, as a client sees the service. */
export class TestClient {
  constructor(
    private readonly url: string,
    readonly userId: string,
    readonly key: string,
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return send(this.url + path, { headers: { 'X-Api-Key': this.key, ...headers } });
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
    return send(this.url + path, { method: 'DELETE', headers: { 'X-Api-Key': this.key } });
  }

  #write(method: string, path: string, body: unknown): Promise<TestAnswer> {
    return send(this.url + path, {
      method,
      headers: { 'X-Api-Key': this.key, 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}

/** A request; what the service answers is held against its document. */
export async function send(url: string, init: RequestInit = {}): Promise<TestAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  await checkContract(init.method ?? 'GET', url, answer);
  return answer;
}

/** A request whose answer is read while it comes; what is known before is held against the service's document. */
export async function open(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  await checkContract(init.method ?? 'GET', url, { status: response.status, headers: response.headers, body: '' });
  return response;
}

const PASSWORD = 'correct horse';
let people = 0;
/** Hashing takes as long as all else about a person. */
let passwordHash: string | undefined;

export async function createClient(
  { app, url }: TestApp,
  { scopes = [...SCOPES], timeZone = 'UTC' }: { scopes?: Scope[]; timeZone?: string } = {},
): Promise<TestClient> {
  passwordHash ??= await hashPassword(PASSWORD);
  const email = `person-${++people}@example.com`;
  const user = { email, passwordHash, timeZone };
  const { id } = await app.get(EntityManager).transactional(() => app.get(UsersService).insert(user));
  const { key } = await app.get(ApiKeysService).create(id, { name: 'test', scopes, expiresAt: null });
  return new TestClient(url, id, key);
}
