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

describe('an API key', () => {
  it.each([
    ['the header of the provider', { 'X-Api-Key': 'healthy-k3j2' }],
    ['a bearer token', { Authorization: 'Bearer healthy-k3j2' }],
  ])('is taken as %s', async (_, headers) => {
    expect((await ask('/accounts', headers as Record<string, string>)).status).toBe(200);
  });

  it('is asked for with 401', async () => {
    const answer = await ask('/accounts', {});
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthorized', message: 'No key was sent.' }]);
  });

  it.each(['no-such-scenario-k3j2', 'healthy', 'x'])('that is unknown is refused with 403: %s', async (key) => {
    const answer = await ask('/accounts', { 'x-api-key': key });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: 'Forbidden', message: 'This key is not accepted.' },
    ]);
  });

  it('is handed out, fresh each time, with the address to configure and the list of scenarios', async () => {
    const create = () => jsonOf(fetch(`${sandbox.url}/sandbox/global/create?scenario=huge`));
    const [one, two] = [await create(), await create()];
    expect(one.api_key).toMatch(/^huge-/);
    expect(one.api_key).not.toBe(two.api_key);
    expect(one.base_url).toBe(sandbox.baseUrl);
    expect(one.scenarios).toContainEqual({ name: 'healthy', plays: expect.any(String) });
  });

  it('is handed out as a page to a browser, and never for an unknown scenario', async () => {
    const url = `${sandbox.url}/sandbox/global/create`;
    const page = await (await fetch(url, { headers: { Accept: 'text/html' } })).text();
    expect(page).toMatch(/<code>healthy-[0-9a-f]{16}<\/code>/);
    expect((await fetch(`${url}?scenario=nope`)).status).toBe(404);
  });

  it('switches to another scenario on request', async () => {
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

describe('the routes', () => {
  it.each([
    '/accounts/',
    '/accounts/1/balance',
    '/accounts/abc/transactions',
    '/accounts/1',
    '/accounts/1/secrets',
    '/balances',
    '/../../us/accounts',
  ])('are none at %s', async (path) => {
    expect((await ask(path)).status).not.toBe(200);
  });

  it('only read', async () => {
    const answer = await fetch(`${sandbox.baseUrl}/accounts`, {
      method: 'POST',
      headers: { 'x-api-key': 'healthy-x1' },
    });
    expect(answer.status).toBe(404);
  });

  it('live on when the day moves forward, and answer the same within a day', async () => {
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
