import { PROVIDERS } from '../../../src/providers/installed.js';
import { createClient, StillClock, startTestApp, type TestApp } from '../../support/app.js';
import type { ScriptedServer } from '../../support/scripted-server.js';
import { synced, until } from '../../support/syncs.js';
import { type PlayedVendor, providerSuite } from '../../../src/kit/provider-suite.js';
import { Visitor } from '../../../src/kit/visitor.js';
import { account, startFakeThirdProvider, TOKEN } from './fake-third-provider.js';
import { thirdProvider } from './third-provider.module.js';

/** Outside of this folder, a new provider is one more name in `src/providers/installed.ts`. */
const WITH_THIRD = [...PROVIDERS, thirdProvider];

describe('the third provider in the service', () => {
  let server: ScriptedServer;
  let tidemark: TestApp;

  beforeAll(async () => {
    server = await startFakeThirdProvider();
    const environment = {
      THIRDPROVIDER_BASE_URL: `${server.url}/v1`,
      PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
      SIGN_UP: 'open',
    };
    tidemark = await startTestApp(environment, new StillClock(), undefined, WITH_THIRD);
  });
  afterAll(async () => {
    await tidemark.stop();
    await server.stop();
  });

  it('is connected over the API and syncs accounts, transactions and balances', async () => {
    const client = await createClient(tidemark);
    const body = { provider: 'third_provider', access_token: TOKEN };
    const { status, body: connection } = await client.post('/api/v1/connections', body);
    expect([status, connection.name, connection.request_budget.limit]).toEqual([201, 'Third banks', 100]);
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded', problems: [] });
    const { accounts } = (await client.get('/api/v1/accounts')).body;
    expect(accounts.map(({ name, provider }: { name: string; provider: string }) => [name, provider])).toEqual([
      ['Checking', 'third_provider'],
      ['Savings', 'third_provider'],
    ]);
    const { balances } = (await client.get('/api/v1/balances?start_date=2026-03-15')).body;
    expect(balances).toMatchObject([{ balance: '$1,250.00' }, { balance: '$1,250.00' }]);
    expect((await client.get('/api/v1/transactions?pending=true')).body.pagination.total_count).toBe(2);
  });

  it('takes a new secret in its own member, and no other provider’s', async () => {
    const client = await createClient(tidemark);
    const path = '/api/v1/connections';
    const refused = await client.post(path, { provider: 'third_provider', access_token: TOKEN, api_key: 'k' });
    expect([refused.status, refused.body.errors]).toEqual([422, ['api_key is not a member of this body']]);
    expect((await client.post(path, { provider: 'fourth_provider', access_token: TOKEN })).body.errors).toEqual([
      'provider must be one of: us_provider, global_provider, third_provider',
    ]);
    const { body: connection } = await client.post(path, { provider: 'third_provider', access_token: TOKEN });
    // At once it would be the second click of the same form.
    tidemark.clock.set('2026-03-15T12:10:00Z');
    const replaced = await client.put(`${path}/${connection.id}/credentials`, { access_token: TOKEN });
    expect(replaced.status).toBe(200);
    const rejected = await client.put(`${path}/${connection.id}/credentials`, { access_token: 'tp_aaaaaaaaaaaaaaaa' });
    expect([rejected.status, rejected.body.details]).toEqual([502, { kind: 'token_rejected' }]);
  });

  it('is in the API document with its secret', async () => {
    const document = (await (await fetch(`${tidemark.url}/openapi.json`)).json()) as {
      components: { schemas: Record<string, { properties: object; oneOf: object[] }> };
    };
    const { schemas } = document.components;
    expect(schemas.ConnectRequest!.oneOf).toContainEqual({ $ref: '#/components/schemas/ConnectThirdProviderRequest' });
    expect(Object.keys(schemas.ConnectThirdProviderRequest!.properties)).toContain('access_token');
  });

  it('is connected and shown on the pages in its own words', async () => {
    const person = new Visitor(tidemark.url);
    await person.signUp();
    expect((await person.get('/connections/new')).text).toMatch(/Banks of Third Provider.*Access token/);
    const fields = { provider: 'third_provider', name: '', secret: 'nonsense' };
    expect((await person.submit('/connections/new', fields)).text).toContain('The access token does not look like tp_');
    await person.submit('/connections/new', { ...fields, secret: TOKEN });
    const page = await until(async () => {
      const shown = await person.get('/connections');
      return shown.text.includes('Up to date') ? shown : null;
    }, 'synced');
    expect(page.text).toMatch(/Third banks Banks of Third Provider Manage Up to date 2 accounts/);
    expect((await person.get('/')).text).toMatch(/Checking.*\$1,250\.00/);
    const id = /\/connections\/([0-9a-f-]{36})"/.exec(page.html)?.[1];
    expect((await person.get(`/connections/${id}`)).text).toContain('New access token');
  });
});

/** One account, with the rows that the suite puts. */
async function play(): Promise<PlayedVendor> {
  const server = await startFakeThirdProvider();
  const rows = new Map<string, object>();
  let token = TOKEN;
  server.play(({ path, headers }) => {
    if (headers.authorization !== `Bearer ${token}`) return { status: 401, body: { error: 'unknown token' } };
    if (path.endsWith('/accounts')) return { body: { accounts: [account('A-1', 'Checking')] } };
    return { body: { transactions: [...rows.values()] } };
  });
  return {
    descriptor: thirdProvider,
    environment: { THIRDPROVIDER_BASE_URL: `${server.url}/v1` },
    pasted: () => token,
    put: ({ id, date, amount, direction, description, pending }) => {
      // This vendor writes money out of an account with a minus.
      const text = `${direction === 'in' ? '' : '-'}${(amount / 100).toFixed(2)}`;
      const status = pending ? 'pending' : 'posted';
      rows.set(id, { id, account_id: 'A-1', date, amount: text, description, status });
    },
    endAccess: () => void (token = `${TOKEN}a`),
    stop: () => server.stop(),
  };
}

const PLAYS = await providerSuite(play);

describe('a provider whose secret is pasted', () => {
  it.each(PLAYS)('$name', ({ run }) => run());
});
