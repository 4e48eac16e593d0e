import type { EntityManager } from '@mikro-orm/postgresql';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Scope } from '../../src/auth/scopes.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { createPerson, Person, readAnswer, startTidemark, StillClock, type TestAnswer } from '../../src/kit/testing.js';
import type { TidemarkModule } from '../../src/platform/module.js';
import { PROVIDERS } from '../../src/providers/installed.js';
import { guardChanges } from './change-guard.js';
import { agreeOnCommitted, checkContract } from './check-contract.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export { StillClock, TEST_ENVIRONMENT, type TestAnswer } from '../../src/kit/testing.js';

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

/** What an app needs to speak with a provider on this machine. */
export const LOCAL_PROVIDER = { PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '*' };

/** The whole application on its own database, or as one more instance on another's, listening on a free port. */
export async function startTestApp(
  environment: NodeJS.ProcessEnv = {},
  clock = new StillClock(),
  beside?: TestDatabase,
  providers = PROVIDERS,
  secrets?: readonly string[],
  modules: readonly TidemarkModule[] = [],
): Promise<TestApp> {
  const database = beside ?? (await createTestDatabase());
  const {
    app,
    url,
    em,
    stop: end,
  } = await startTidemark(modules, {
    environment: { ROLE: 'all', LOG_LEVEL: 'silent', ...environment },
    clock,
    database: database.address,
    providers,
    ...(secrets && { secrets }),
  });
  if (providers === PROVIDERS && modules.length === 0) agreeOnCommitted(url);
  // With GUARD_CHANGES=1 every test of the application fails that changes a row without noting it.
  if (process.env['GUARD_CHANGES'] && !beside) await guardChanges({ em });
  const stop = async () => {
    await end();
    if (!beside) await database.drop();
  };
  let stopping: Promise<void> | null = null;
  return { app, url, clock, em, database, stop: () => (stopping ??= stop()) };
}

/** The same with more modules, which no other test has. */
export function startTestAppWith(
  modules: readonly TidemarkModule[],
  environment: NodeJS.ProcessEnv = {},
  beside?: TestDatabase,
): Promise<TestApp> {
  return startTestApp(environment, undefined, beside, PROVIDERS, undefined, modules);
}

/** A person whose answers are held against the document of the service. */
export class TestClient extends Person {
  protected override async send(path: string, init: RequestInit): Promise<TestAnswer> {
    const answer = await super.send(path, init);
    await checkContract(init.method ?? 'GET', this.url + path, answer);
    return answer;
  }
}

/** A request; what the service answers is held against its document. */
export async function send(url: string, init: RequestInit = {}): Promise<TestAnswer> {
  const answer = await readAnswer(await fetch(url, { redirect: 'manual', ...init }));
  await checkContract(init.method ?? 'GET', url, answer);
  return answer;
}

/** A request whose answer is read while it comes; what is known before is held against the service's document. */
export async function open(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  await checkContract(init.method ?? 'GET', url, { status: response.status, headers: response.headers, body: '' });
  return response;
}

export async function createClient(
  { app, url }: TestApp,
  { scopes = SCOPES, timeZone = 'UTC' }: { scopes?: readonly Scope[]; timeZone?: string } = {},
): Promise<TestClient> {
  const { userId, key } = await createPerson(app, scopes, timeZone);
  return new TestClient(url, userId, key);
}
