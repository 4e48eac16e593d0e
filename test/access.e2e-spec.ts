import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppSecrets } from '../src/config/app-secret.js';
import { AppModule } from '../src/app.module.js';
import { Secret } from '../src/config/secret.js';
import { readConfig } from '../src/config/config.js';
import { startTestApp, type TestApp } from './app.js';
import { createTestDatabase } from './database.js';

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

describe('a stranger', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
  });
  afterAll(() => test.stop());

  interface Served {
    route?: { path: string; methods: Record<string, boolean> };
  }

  function servedRoutes(): { method: string; path: string }[] {
    const { stack } = (test.app.getHttpAdapter().getInstance() as { router: { stack: Served[] } }).router;
    return stack
      .flatMap(({ route }) => (route && !route.methods.trace ? [route] : []))
      .flatMap(({ path, methods }) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));
  }

  it('sees what is public, and of everything else only that it is not', async () => {
    const open = new Set<string>();
    const routes = servedRoutes();
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
