import { isInstalled } from '../support/installed.js';
import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppSecrets } from '../../src/platform/config/app-secret.js';
import { AppModule } from '../../src/app.module.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { UsersRepository } from '../../src/auth/users.repository.js';
import { Secret } from '../../src/platform/config/secret.js';
import { PersonalDataExportService } from '../../src/web/settings/personal-data-export.service.js';
import { readConfig } from '../../src/platform/config/config.js';
import { MODULES } from '../../src/modules.js';
import { createClient, startTestApp, type TestApp, TestClient } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { ended } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';
import { afterThisTest } from '../support/after-this-test.js';
import { rawRequest } from '../support/raw-request.js';

@Controller('forgotten')
class ForgottenController {
  @Get('all')
  all(): string {
    return 'everything';
  }
}

class ForgetfulModule {}

it('the application does not start if a route does not declare who may use it', async () => {
  const database = await createTestDatabase();
  const config = readConfig([], MODULES, {}, { LOG_LEVEL: 'silent', SYNC_CRON: 'off', ROLE: 'api' });
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

describe('access to routes', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open', RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(() => test.stop());

  describe('a stranger', () => {
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
        ...['/assets/:name', '/health/live', '/health/ready', '/license', '/metrics', '/pushes/:provider', '/sign-in'],
        '/sign-up',
      ]);
    });
  });

  describe('another person', () => {
    let victim: string;
    let visitor: Visitor;
    let client: TestClient;

    beforeAll(async () => {
      const owner = await createClient(test);
      victim = owner.userId;
      const connection = await createConnection(test, victim);
      await writeSnapshot(test, connection, snapshotAccount({ transactions: [transaction('2026-03-09', -100)] }));
      const { body: sync } = await owner.post(`/api/v1/connections/${connection.id}/sync`);
      await ended(owner, sync.id);
      visitor = new Visitor(test.url);
      await visitor.signUp('other@example.com');
      const other = await test.app.get(UsersRepository, { strict: false }).findByEmail('other@example.com');
      const wanted = { name: 'all', scopes: [...SCOPES], expiresAt: null };
      client = new TestClient(test.url, other!.id, (await test.app.get(ApiKeysService).create(other!.id, wanted)).key);
    });
    const everythingOf = async (userId: string) => {
      const lines: string[] = [];
      for await (const piece of test.app.get(PersonalDataExportService).lines(userId)) lines.push(piece);
      return lines.join('');
    };

    /** All that a route of theirs could be asked about. */
    const idsIn = (text: string) => [...new Set(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))];

    it('a user gets 404 for every id of another user, learns nothing from it and changes nothing', async () => {
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

  const ORIGIN = 'https://board.example';

  async function serve(environment: NodeJS.ProcessEnv) {
    const tidemark = await startTestApp({ ROLE: 'api', ...environment });
    afterThisTest(tidemark.stop);
    const { key } = await createClient(tidemark);
    const ask = (path: string, init: RequestInit, origin = ORIGIN) =>
      fetch(tidemark.url + path, { ...init, headers: { Origin: origin, ...(init.headers as object) } });
    const preflight = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-api-key' };
    return { key, ask, preflight: { method: 'OPTIONS', headers: preflight } };
  }

  const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin');

  describe('CORS_ORIGINS', () => {
    it('lets pages of the listed origins call the API, without cookies, as it says to browsers', async () => {
      const { key, ask, preflight } = await serve({ CORS_ORIGINS: `https://other.example, ${ORIGIN}` });
      const asked = await ask('/api/v1/accounts', preflight);
      expect([asked.status, allowedOrigin(asked)]).toEqual([204, ORIGIN]);
      expect(asked.headers.get('access-control-allow-headers')).toBe('x-api-key');
      expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');

      const answer = await ask('/api/v1/accounts', { headers: { 'X-Api-Key': key } });
      expect([answer.status, allowedOrigin(answer)]).toEqual([200, ORIGIN]);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toContain('Origin');

      const refused = await ask('/api/v1/accounts', {});
      expect([refused.status, allowedOrigin(refused)]).toEqual([401, ORIGIN]);
      expect(allowedOrigin(await ask('/openapi.json', {}))).toBe(ORIGIN);
    });

    it('lets pages of the listed origins send and read every header, also one that a module brings', async () => {
      const { ask } = await serve({ CORS_ORIGINS: ORIGIN });
      const wanted = 'x-api-key,if-none-match,idempotency-key,x-of-a-module';
      const asked = await ask('/api/v1/accounts', {
        method: 'OPTIONS',
        headers: { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': wanted },
      });
      expect(asked.headers.get('access-control-allow-headers')).toBe(wanted);
      const { headers } = await ask('/api/v1/accounts', {});
      // To a browser it means all headers where no cookies are allowed.
      expect(headers.get('access-control-expose-headers')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    });

    (isInstalled('mcp') ? it : it.skip)(
      'lets pages of the listed origins speak MCP, with the headers of its protocol',
      async () => {
        const { key, ask } = await serve({ CORS_ORIGINS: ORIGIN });
        const headers = ['content-type', 'x-api-key', 'mcp-protocol-version', 'mcp-session-id'];
        const asked = await ask('/mcp', {
          method: 'OPTIONS',
          headers: { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': headers.join(',') },
        });
        expect([asked.status, allowedOrigin(asked)]).toEqual([204, ORIGIN]);
        const allowed = asked.headers.get('access-control-allow-headers')!.toLowerCase().split(',');
        expect(allowed).toEqual(expect.arrayContaining(headers));
        const message = {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
          headers: {
            'X-Api-Key': key,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'Mcp-Protocol-Version': '2025-06-18',
          },
        };
        const answer = await ask('/mcp', message);
        expect([answer.status, allowedOrigin(answer)]).toEqual([200, ORIGIN]);
        const refused = await ask('/mcp', message, 'https://evil.example');
        expect([refused.status, allowedOrigin(refused)]).toEqual([403, null]);
      },
    );

    it('leaves what is no preflight to the routes', async () => {
      const { ask, preflight } = await serve({ CORS_ORIGINS: ORIGIN });
      const { url } = await ask('/openapi.json', {});
      const request = async (headers: Record<string, string>) => {
        const { status, headers: answered } = await rawRequest(new URL(url).origin, {
          method: 'OPTIONS',
          path: '/api/v1/balances',
          headers,
        });
        return [status, answered.allow];
      };
      expect(await request({})).toEqual([405, 'GET, HEAD']);
      expect(await request({ Origin: ORIGIN })).toEqual([405, 'GET, HEAD']);
      expect(await request({ ...preflight.headers })).toEqual([405, 'GET, HEAD']);
      expect(await request({ Origin: ORIGIN, ...preflight.headers })).toEqual([204, undefined]);
    });

    it('lets no other origin in, and nobody into the pages', async () => {
      const { key, ask, preflight } = await serve({ CORS_ORIGINS: ORIGIN });
      for (const origin of ['https://board.example.evil.example', 'http://board.example', 'null']) {
        expect(allowedOrigin(await ask('/api/v1/accounts', preflight, origin))).toBeNull();
        expect(allowedOrigin(await ask('/api/v1/accounts', { headers: { 'X-Api-Key': key } }, origin))).toBeNull();
      }
      for (const path of ['/sign-in', '/health/live', '/docs']) expect(allowedOrigin(await ask(path, {}))).toBeNull();
    });

    it('knows the API in any case of its address, as routes do', async () => {
      const { key, ask } = await serve({ CORS_ORIGINS: ORIGIN });
      const answers = [];
      for (const path of ['/api/v1/accounts', '/API/v1/accounts']) {
        const answer = await ask(path, { headers: { 'X-Api-Key': key } });
        const names = ['content-security-policy', 'x-frame-options', 'referrer-policy', 'cache-control'];
        answers.push([answer.status, allowedOrigin(answer), ...names.map((name) => answer.headers.get(name))]);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]!.slice(0, 2)).toEqual([200, ORIGIN]);
    });

    it('is off without the setting', async () => {
      const { key, ask, preflight } = await serve({});
      expect((await ask('/api/v1/accounts', preflight)).status).toBe(405);
      expect(allowedOrigin(await ask('/api/v1/accounts', { headers: { 'X-Api-Key': key } }))).toBeNull();
    });
  });
});
