import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppSecrets } from '../src/config/app-secret.js';
import { AppModule } from '../src/app.module.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { SCOPES } from '../src/auth/scopes.js';
import { UsersService } from '../src/auth/users.service.js';
import { Secret } from '../src/config/secret.js';
import { PersonalDataExportService } from '../src/personal-data/personal-data-export.service.js';
import { readConfig } from '../src/config/config.js';
import { createClient, startTestApp, type TestApp, TestClient } from './support/app.js';
import { createTestDatabase } from './support/database.js';
import { createConnection, snapshotAccount, transaction, writeSnapshot } from './support/factories.js';
import { ended } from './support/syncs.js';
import { Visitor } from './support/visitor.js';

@Controller('forgotten')
class ForgottenController {
  @Get('all')
  all(): string {
    return 'everything';
  }
}

class ForgetfulModule {}

it('a module with a route that does not say who may use it keeps the application from starting', async () => {
  const database = await createTestDatabase();
  const config = readConfig([], {}, { LOG_LEVEL: 'silent', SYNC_CRON: 'off', ROLE: 'api' });
  const secrets = new AppSecrets([new Secret('the root secret of the tests')]);
  const app = await NestFactory.create(
    {
      module: ForgetfulModule,
      imports: [AppModule.forRoot({ config, secrets, database: database.address })],
      controllers: [ForgottenController],
    },
    { logger: false, abortOnError: false },
  );
  try {
    await expect(app.init()).rejects.toThrow('GET /forgotten/all (ForgottenController.all)');
  } finally {
    await app.close();
    await database.drop();
  }
});

interface Served {
  route?: { path: string; methods: Record<string, boolean> };
}

function servedRoutes({ app }: TestApp): { method: string; path: string }[] {
  const { stack } = (app.getHttpAdapter().getInstance() as { router: { stack: Served[] } }).router;
  return stack
    .flatMap(({ route }) => (route && !route.methods.trace ? [route] : []))
    .flatMap(({ path, methods }) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));
}

describe('a stranger', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
  });
  afterAll(() => test.stop());

  it('sees what is public, and of everything else only that it is not', async () => {
    const open = new Set<string>();
    const routes = servedRoutes(test);
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) {
      const url = test.url + path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
      const headers = { 'Sec-Fetch-Site': 'same-origin' };
      const { status, headers: answered } = await fetch(url, { method, headers, redirect: 'manual' });
      const isSignIn = answered.get('location')?.startsWith('/sign-in') ?? false;
      if (status !== 401 && !(status === 303 && isSignIn)) open.add(path);
    }
    const documentation = [...open].filter((path) => /^\/(docs|openapi)/.test(path));
    expect(documentation.length).toBeGreaterThan(2);
    expect([...open].filter((path) => !documentation.includes(path)).sort()).toEqual([
      ...['/assets/:name', '/health/live', '/health/ready', '/license', '/metrics', '/sign-in', '/sign-up'],
    ]);
  });
});

describe('another person', () => {
  let test: TestApp;
  let victim: string;
  let visitor: Visitor;
  let client: TestClient;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open', RATE_LIMIT_PER_MINUTE: '0' });
    const owner = await createClient(test);
    victim = owner.userId;
    const connection = await createConnection(test, victim);
    await writeSnapshot(test, connection, snapshotAccount({ transactions: [transaction('2026-03-09', -100)] }));
    const { body: sync } = await owner.post(`/api/v1/connections/${connection.id}/sync`);
    await ended(owner, sync.id);
    visitor = new Visitor(test.url);
    await visitor.signUp('other@example.com');
    const other = await test.app.get(UsersService).findByEmail('other@example.com');
    const wanted = { name: 'all', scopes: [...SCOPES], expiresAt: null };
    client = new TestClient(test.url, other!.id, (await test.app.get(ApiKeysService).create(other!.id, wanted)).key);
  });
  afterAll(() => test.stop());

  const everythingOf = async (userId: string) => {
    const lines: string[] = [];
    for await (const piece of test.app.get(PersonalDataExportService).lines(userId)) lines.push(piece);
    return lines.join('');
  };

  /** All that a route of theirs could be asked about. */
  const idsIn = (text: string) => [...new Set(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))];

  it('finds nothing by any id, learns nothing of it, and changes nothing', async () => {
    const before = await everythingOf(victim);
    const ids = idsIn(before);
    expect(ids.length).toBeGreaterThan(4);
    const { html } = await visitor.get('/settings');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    const cookie = `tidemark=${visitor.cookie('tidemark')}`;
    const found: unknown[] = [];
    for (const { method, path } of servedRoutes(test)) {
      // Streams never end, and who signs out is nobody.
      if (/events|sign-out|\/mcp/.test(path)) continue;
      for (const id of path.includes(':') ? ids : ids.slice(0, 1)) {
        const isApi = path.startsWith('/api/');
        const answer = await fetch(test.url + path.replace(/:\w+/g, id), {
          method,
          redirect: 'manual',
          headers: isApi
            ? { 'X-Api-Key': client.key, 'Content-Type': 'application/json' }
            : { cookie, 'Sec-Fetch-Site': 'same-origin' },
          ...(!['GET', 'HEAD'].includes(method) && { body: isApi ? '{}' : new URLSearchParams({ form_token }) }),
        });
        const text = await answer.text();
        const told = idsIn(text).filter((each) => each !== id && ids.includes(each));
        const isDone = isApi && path.includes(':') && answer.status < 400;
        if (told.length > 0 || isDone) found.push({ method, path, id, status: answer.status, told });
      }
    }
    expect(found).toEqual([]);
    expect(await everythingOf(victim)).toBe(before);
    expect((await visitor.get('/settings')).status).toBe(200);
  });
});
