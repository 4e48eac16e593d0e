import { Global, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Config, readConfig } from '../src/platform/config/config.js';
import { Clock } from '../src/platform/time/clock.js';
import { freshApiKey, sandboxBaseUrl } from './global-provider/api-key.js';
import type { WireAccountList } from './global-provider/body.js';
import { SandboxModule } from './sandbox.module.js';
import { freshSetupToken } from './us-provider/setup-token.js';
import type { AccountSet } from './us-provider/body.js';

class HeldClock extends Clock {
  instant = new Date('2026-11-21T23:59:59Z');

  now(): Date {
    return this.instant;
  }
}

const clock = new HeldClock();

const dependencies = [
  { provide: Clock, useValue: clock },
  { provide: Config, useValue: readConfig([], [], {}, {}) },
];

@Global()
@Module({ providers: dependencies, exports: dependencies })
class CoreModule {}

describe('SandboxModule', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [CoreModule, SandboxModule] }).compile();
    app = testing.createNestApplication();
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('the sandbox is claimed and answers at the URL at which the service was reached', async () => {
    const claim = await fetch(Buffer.from(freshSetupToken(url, 'healthy'), 'base64').toString(), { method: 'POST' });
    const access = new URL((await claim.text()).trim());
    expect(`${access.origin}${access.pathname}`).toBe(`${url}/sandbox/us`);
    const headers = {
      Authorization: `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`,
    };

    const balanceDay = async () => {
      const set = (await (await fetch(`${url}/sandbox/us/accounts`, { headers })).json()) as AccountSet;
      return new Date(set.accounts[0]!['balance-date'] * 1000).toISOString().slice(0, 10);
    };
    expect(await balanceDay()).toBe('2026-11-21');
    clock.instant = new Date('2026-11-22T00:00:00Z');
    expect(await balanceDay()).toBe('2026-11-22');
  });

  it('the sandbox serves the global provider to a generated API key', async () => {
    clock.instant = new Date('2026-11-21T23:59:59Z');
    const headers = { 'x-api-key': freshApiKey('healthy') };
    const list = (await (await fetch(`${sandboxBaseUrl(url)}/accounts`, { headers })).json()) as WireAccountList;
    expect(list.total).toBe(6);
  });

  it('the sandbox module answers 404 to other paths', async () => {
    expect((await fetch(`${url}/sandbox/other`)).status).toBe(404);
  });
});
