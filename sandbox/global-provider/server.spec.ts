import { freshApiKey } from './api-key.js';
import { startGlobalSandbox, type LocalGlobalSandbox } from './local-server.js';

let sandbox: LocalGlobalSandbox;
let today = '2026-11-21';
beforeAll(async () => {
  sandbox = await startGlobalSandbox({ today: () => today });
});
beforeEach(() => {
  today = '2026-11-21';
});
afterAll(() => sandbox.close());

const ask = (path: string, headers: Record<string, string> = { 'x-api-key': 'healthy-k3j2' }) =>
  fetch(sandbox.baseUrl + path, { headers });

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const jsonOf = async (response: Promise<Response>): Promise<any> => (await response).json();

describe('API keys of the global sandbox', () => {
  it.each([
    ['the X-Api-Key header', { 'X-Api-Key': 'healthy-k3j2' }],
    ['a bearer token', { Authorization: 'Bearer healthy-k3j2' }],
  ])('the global sandbox accepts an API key as %s', async (_, headers) => {
    expect((await ask('/accounts', headers as Record<string, string>)).status).toBe(200);
  });

  it('the global sandbox answers 401 to a request without an API key', async () => {
    const answer = await ask('/accounts', {});
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthorized', message: 'No key was sent.' }]);
  });

  it.each(['no-such-scenario-k3j2', 'healthy', 'x'])('the global sandbox answers 403 to the key %s', async (key) => {
    const answer = await ask('/accounts', { 'x-api-key': key });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: 'Forbidden', message: 'This key is not accepted.' },
    ]);
  });

  it('the global sandbox creates a fresh API key with the base URL to configure and the list of scenarios', async () => {
    const create = () => jsonOf(fetch(`${sandbox.url}/sandbox/global/create?scenario=huge`));
    const [one, two] = [await create(), await create()];
    expect(one.api_key).toMatch(/^huge-/);
    expect(one.api_key).not.toBe(two.api_key);
    expect(one.base_url).toBe(sandbox.baseUrl);
    expect(one.scenarios).toContainEqual({ name: 'healthy', plays: expect.any(String) });
  });

  it('the global sandbox shows a created API key as a page in a browser, and answers 404 for an unknown scenario', async () => {
    const url = `${sandbox.url}/sandbox/global/create`;
    const page = await (await fetch(url, { headers: { Accept: 'text/html' } })).text();
    expect(page).toMatch(/<code>healthy-[0-9a-f]{16}<\/code>/);
    expect((await fetch(`${url}?scenario=nope`)).status).toBe(404);
  });

  it('an API key of the global sandbox can be switched to another scenario', async () => {
    const key = freshApiKey('healthy');
    const play = (scenario: string) =>
      fetch(`${sandbox.url}/sandbox/global/play/${key}?scenario=${scenario}`, { method: 'POST' });
    expect((await play('unauthorized')).status).toBe(200);
    expect((await ask('/accounts', { 'x-api-key': key })).status).toBe(401);
    expect((await play('healthy')).status).toBe(200);
    expect((await ask('/accounts', { 'x-api-key': key })).status).toBe(200);
    expect((await play('nope')).status).toBe(404);
  });
});

describe('routes of the global sandbox', () => {
  it.each([
    '/accounts/',
    '/accounts/1/balance',
    '/accounts/abc/transactions',
    '/accounts/1',
    '/accounts/1/secrets',
    '/balances',
    '/../../us/accounts',
  ])('the global sandbox has no route at %s', async (path) => {
    expect((await ask(path)).status).not.toBe(200);
  });

  it('the global sandbox answers a POST with 404', async () => {
    const answer = await fetch(`${sandbox.baseUrl}/accounts`, {
      method: 'POST',
      headers: { 'x-api-key': 'healthy-x1' },
    });
    expect(answer.status).toBe(404);
  });

  it('transactions of the global sandbox are added as days go by, and are the same within a day', async () => {
    const { accounts } = await jsonOf(ask('/accounts'));
    const rows = async () => (await jsonOf(ask(`/accounts/${accounts[0].id}/transactions`))).transactions;
    today = '2026-11-20';
    const before = await rows();
    expect(await rows()).toEqual(before);
    today = '2026-11-24';
    const after = await rows();
    expect(after.length).toBeGreaterThan(before.length);
    expect(after.slice(-before.length)).toEqual(before);
  });
});
