import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { retryAfterMs } from '../../client/src/retry.js';
import { Tidemark, type TidemarkError } from '../../client/src/tidemark.js';
import { verifyWebhook } from '../../client/src/webhooks.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { installPackedClient } from '../support/packed-client.js';

const run = promisify(execFile);
const STRICT = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--types',
  'node',
];
const [, TOTALS = ''] = /```ts\n(.*?)```/s.exec(readFileSync('docs/use/api.md', 'utf8'))!;
const [BALANCES = '', CHANGES = '', ROUTES = '', IMPORT = '', WEBHOOKS = ''] = [
  ...readFileSync('client/README.md', 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, code = '']) => code);

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

describe('TypeScript client', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let api: Tidemark;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    api = new Tidemark({ url: `${tidemark.url}/`, apiKey: client.key });
    const connection = await createConnection(tidemark, client.userId);
    const transactions = [transaction('2026-01-10', 1_000), transaction('2026-03-14', -64_20)];
    for (const name of ['Checking', 'Savings', 'Wallet'])
      await writeSnapshot(tidemark, connection, snapshotAccount({ name, balance: balance(410_221), transactions }));
  });
  afterAll(() => tidemark.stop());

  it('the client reads all pages of a list', async () => {
    const query = { per_page: 7, start_date: '2026-03-01' };
    const records = await all(api.each('/api/v1/balances', { query }));
    const { body } = await client.get('/api/v1/balances?start_date=2026-03-01&per_page=100');
    expect(records).toEqual(body.balances);
    expect(await all(api.each('/api/v1/syncs'))).toEqual([]);
    const [account] = await all(api.each('/api/v1/accounts'));
    const path = { id: account!.id };
    const reports = await all(api.pages('/api/v1/accounts/{id}/reconciliation', { path, query: { per_page: 1 } }));
    expect(reports).toMatchObject([{ account: { id: account!.id }, pagination: { page: 1, per_page: 1 } }]);
  });

  it.each(['updated_since', 'as_of'])('the client reads all pages of balances with %s by number', async (name) => {
    const query = { [name]: '2026-03-01T00:00:00Z', start_date: '2026-03-01', per_page: 20 };
    const { body } = await client.get(
      `/api/v1/balances?${name}=2026-03-01T00:00:00Z&start_date=2026-03-01&per_page=100`,
    );
    expect(await all(api.each('/api/v1/balances', { query }))).toEqual(body.balances);
    expect(body.balances.length > 20).toBe(name === 'updated_since');
  });

  it('the client follows the change feed from a cursor', async () => {
    const everything = await all(api.changes({ types: ['accounts'], limit: 1 }));
    const names = everything.flatMap(({ changes }) =>
      changes.flatMap(({ records }) => records.map((record) => ('name' in record ? record.name : ''))),
    );
    expect(names.sort()).toEqual(['Checking', 'Savings', 'Wallet']);
    const { cursor } = everything.at(-1)!;
    expect(await all(api.changes({ types: ['accounts'], cursor }))).toMatchObject([{ changes: [], has_more: false }]);
  });

  it('the client throws the errors of the service', async () => {
    const refused = api.get('/api/v1/balances', { query: { start_date: 'x', end_date: 'y' } });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      code: 'validation_failed',
    } satisfies Partial<TidemarkError>);
    const { errors, requestId } = (await refused.catch((error: unknown) => error)) as TidemarkError;
    expect([errors.length, requestId]).toEqual([2, expect.any(String)]);
    // What has a default may be left out, also for the compiler.
    const body = { provider: 'us_provider', setup_token: 'nonsense' } as const;
    await expect(api.post('/api/v1/connections', { body })).rejects.toMatchObject({ status: 422 });
  });

  it('the client is a package whose examples in README and docs/use/api.md compile and work', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-client-'));
    afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
    const modules = await installPackedClient(folder);
    symlinkSync(resolve('node_modules/@types'), join(modules, '@types'));
    symlinkSync(resolve('node_modules/undici-types'), join(modules, 'undici-types'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const programs = {
      'balances.ts': BALANCES,
      'changes.ts': CHANGES,
      'routes.ts': ROUTES,
      'import.ts': IMPORT,
      'webhooks.ts': WEBHOOKS,
      'totals.ts': TOTALS,
    };
    for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code);
    await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...STRICT, ...Object.keys(programs)], {
      cwd: folder,
    });

    const env = { ...process.env, TIDEMARK_URL: tidemark.url, TIDEMARK_KEY: client.key };
    const { body } = await client.get('/api/v1/balances?start_date=2026-03-01&per_page=100');
    const listed = await run(process.execPath, ['balances.js'], { cwd: folder, env });
    expect(listed.stdout.trim().split('\n')).toEqual(
      body.balances.map((row: { date: string; account: { name: string }; balance: string }) =>
        [row.date, row.account.name, row.balance].join(' '),
      ),
    );
    const totals = await run(process.execPath, ['totals.js'], {
      cwd: folder,
      env: { ...env, URL: tidemark.url, KEY: client.key },
    });
    expect(totals.stdout).toContain(`2026-03-14 USD ${3 * 410_221}\n`);
    const changed = await run(process.execPath, ['changes.js'], { cwd: folder, env });
    expect(changed.stdout).toMatch(/^(balances \d+ true\n)+$/);
    const called = await run(process.execPath, ['routes.js'], { cwd: folder, env });
    expect(called.stdout).toBe('Household\n404 record_not_found\n');
    writeFileSync(join(folder, '2019.csv'), 'Date,Amount,Text\n2019-01-20,-13.00,Books\n');
    const [account] = await all(api.each('/api/v1/accounts'));
    const imported = await run(process.execPath, ['import.js', account!.id, '2019.csv'], { cwd: folder, env });
    expect(imported.stdout).toBe('2019.csv preview\n');
  });
});

describe('retries of the TypeScript client', () => {
  /** A service that answers with each of these in turn. */
  async function serviceOf(...answers: RequestListener[]) {
    const seen: { method: string | undefined; key: string | undefined }[] = [];
    const server = createServer((request, response) => {
      const key = request.headers['idempotency-key']?.toString();
      seen.push({ method: request.method, key });
      answers[Math.min(seen.length, answers.length) - 1]!(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    afterThisTest(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, api: new Tidemark({ url, apiKey: 'key', baseDelayMs: 1, maxDelayMs: 1_500 }), seen };
  }
  const ok: RequestListener = (_request, response) => response.end('{"id":"1"}');
  const drop: RequestListener = (request) => request.socket.destroy();
  const running: RequestListener = (_request, response) =>
    response.writeHead(409, { 'Retry-After': '0' }).end('{"error":"idempotency_conflict"}');
  const busy =
    (retryAfter?: string): RequestListener =>
    (_request, response) =>
      response.writeHead(503, retryAfter ? { 'Retry-After': retryAfter } : {}).end('{"error":"unavailable"}');

  it('the client waits as long as Retry-After says and repeats the Idempotency-Key', async () => {
    const { api, seen } = await serviceOf(busy('1'), busy(), ok);
    const startedMs = performance.now();
    const path = { id: '1' };
    await api.post('/api/v1/connections/{id}/sync', { path });
    expect(performance.now() - startedMs).toBeGreaterThan(950);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]!.key).toMatch(/^[\da-f-]{36}$/);
  });

  it('the client gives up after three retries, and at once if the requested wait is too long', async () => {
    const always = await serviceOf(busy());
    await expect(always.api.get('/api/v1/me')).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect(always.seen).toHaveLength(4);
    const later = await serviceOf(busy('3600'), ok);
    await expect(later.api.get('/api/v1/me')).rejects.toMatchObject({ status: 503 });
    expect(later.seen).toHaveLength(1);
  });

  it('the client repeats lost requests, a POST with the same Idempotency-Key, and waits for a running one', async () => {
    const lost = await serviceOf(drop, ok);
    expect(await lost.api.get('/api/v1/me')).toEqual({ id: '1' });
    const { api, seen } = await serviceOf(drop, running, ok);
    await api.post('/api/v1/connections/{id}/sync', { path: { id: '1' } });
    expect([seen.length, new Set(seen.map(({ key }) => key)).size]).toEqual([3, 1]);
  });

  const gone: RequestListener = (_request, response) => response.writeHead(404).end('{"error":"record_not_found"}');

  it('the client treats a 404 as success if the response to its DELETE was lost', async () => {
    const { api, seen } = await serviceOf(drop, busy(), gone);
    expect(await api.delete('/api/v1/connections/{id}', { path: { id: '1' } })).toBeUndefined();
    expect(seen).toHaveLength(3);
  });

  it('the client throws a 404 of a record that never existed, also if its DELETE was retried after a 503', async () => {
    const { api } = await serviceOf(busy(), gone);
    const refused = api.delete('/api/v1/connections/{id}', { path: { id: '1' } });
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
    const lost = await serviceOf(drop, gone);
    await expect(lost.api.get('/api/v1/accounts/{id}', { path: { id: '1' } })).rejects.toMatchObject({ status: 404 });
  });

  it('the client sends a PUT with an Idempotency-Key, since some secrets can be used only once', async () => {
    const { api, seen } = await serviceOf(drop, ok);
    const body = { setup_token: 'once' };
    await api.put('/api/v1/connections/{id}/credentials', { path: { id: '1' }, body });
    expect(new Set(seen.map(({ key }) => key))).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]));
  });

  it('the client names the address that could not be reached, and keeps the cause', async () => {
    const { url, api } = await serviceOf(drop);
    const lost = api.get('/api/v1/accounts/{id}', { path: { id: '1' } });
    await expect(lost).rejects.toMatchObject({
      message: `${url}/api/v1/accounts/1 could not be reached.`,
      cause: { message: 'fetch failed' },
    });
  });

  it('the client does not retry other conflicts', async () => {
    const conflict: RequestListener = (_request, response) => response.writeHead(409).end('{"error":"conflict"}');
    const { api, seen } = await serviceOf(conflict, ok);
    const refused = api.post('/api/v1/connections/{id}/sync', { path: { id: '1' } });
    await expect(refused).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(seen).toHaveLength(1);
  });

  it('the client does not send its API key to another host', async () => {
    const other = await serviceOf(ok);
    const moved: RequestListener = (_request, response) => response.writeHead(307, { Location: other.url }).end();
    const { api } = await serviceOf(moved);
    await expect(api.get('/api/v1/me')).rejects.toMatchObject({ status: 307, code: 'unexpected_answer' });
    expect(other.seen).toEqual([]);
  });

  it.each(['', '.', '..'])('the client refuses the id %j instead of requesting another path', async (id) => {
    const { api, seen } = await serviceOf(ok);
    await expect(api.delete('/api/v1/connections/{id}', { path: { id } })).rejects.toThrow('id is missing or no id.');
    expect(seen).toEqual([]);
  });

  it.each(['nonsense', 'localhost:3000', ''])('the client refuses the address %j when it is made', (url) => {
    expect(() => new Tidemark({ url, apiKey: 'key' })).toThrow(
      `url must be an address such as https://money.example, not "${url}".`,
    );
  });

  it('the client ends a request at its timeout even after garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const silent: RequestListener = () => undefined;
    const { url } = await serviceOf(silent);
    const api = new Tidemark({ url, apiKey: 'key', retries: 0, timeoutMs: 500 });
    const { signal } = new AbortController();
    const ended = expect(api.get('/api/v1/me', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    for (let i = 0; i < 10; i++) {
      await new Promise(setImmediate);
      collect();
    }
    await ended;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('the client reads Retry-After as seconds and as a date', () => {
    expect(retryAfterMs('7')).toBe(7_000);
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4_000)).toBe(6_000);
    expect(retryAfterMs('soon')).toBeNull();
  });
});

describe('verifyWebhook', () => {
  const NOW_MS = Date.UTC(2026, 2, 15);
  const secret = () => `whsec_${randomBytes(24).toString('base64')}`;
  const [current, old] = [secret(), secret()];
  const body = '{"type":"sync.finished"}';

  function sign(key: string, timestamp = NOW_MS / 1_000, id = 'msg_1') {
    const mac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
    return `v1,${mac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  }
  const headers = (signature: string, timestamp = NOW_MS / 1_000) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });
  const verify = (given: Record<string, string>, secrets: string | string[] = current, text = body) =>
    verifyWebhook({ body: text, headers: given, secrets, nowMs: NOW_MS });

  it('verifyWebhook accepts a signature of any of several secrets', async () => {
    expect(await verify(headers(sign(current)))).toEqual({ id: 'msg_1', payload: { type: 'sync.finished' } });
    await verify(headers(sign(old)), [current, old]);
    await verify(headers(`v1a,AAAA v1,!! ${sign(old)} ${sign(current)}`));
    await verifyWebhook({ body, headers: new Headers(headers(sign(current))), secrets: current, nowMs: NOW_MS });
  });

  it('verifyWebhook accepts the example of the specification', async () => {
    const given = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = { body: '{"test": 2432232314}', headers: given, secrets, nowMs: 1_614_265_330_000 };
    expect(await verifyWebhook(message)).toEqual({ id: given['webhook-id'], payload: { test: 2432232314 } });
  });

  it.each([
    ['another secret', headers(sign(old)), body],
    ['another body', headers(sign(current)), `${body} `],
    ['another id', { ...headers(sign(current)), 'webhook-id': 'msg_2' }, body],
    ['an old time', headers(sign(current, NOW_MS / 1_000 - 301), NOW_MS / 1_000 - 301), body],
    ['a time to come', headers(sign(current, NOW_MS / 1_000 + 301), NOW_MS / 1_000 + 301), body],
    ['no time', { ...headers(sign(current)), 'webhook-timestamp': 'now' }, body],
    ['no signature', { ...headers(''), 'webhook-signature': '' }, body],
  ])('verifyWebhook refuses %s', async (_what, given, text) => {
    await expect(verify(given, current, text)).rejects.toMatchObject({ name: 'WebhookVerificationError' });
  });
});
