import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';

describe('a list that was read before', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Awaited<ReturnType<typeof createConnection>>;
  const account = snapshotAccount({ balance: balance(5_000), transactions: [transaction('2026-03-10', 1_000)] });

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    await writeSnapshot(tidemark, connection, account);
  });
  afterAll(() => tidemark.stop());

  const tagOf = async (path: string) => (await client.get(path)).headers.get('etag') ?? '';
  const again = (path: string, tag: string, headers = {}) => client.get(path, { 'If-None-Match': tag, ...headers });

  it.each(['balances', 'accounts', 'transactions', 'holdings'])(
    'of %s is 304 with no body while nothing changed, and whole again after any change',
    async (resource) => {
      const path = `/api/v1/${resource}?per_page=2`;
      const tag = await tagOf(path);
      expect(tag).toMatch(/^W\/"/);
      const unchanged = await again(path, `"other", ${tag}`);
      expect([unchanged.status, unchanged.body]).toEqual([304, '']);
      expect(unchanged.headers.get('etag')).toBe(tag);
      expect(unchanged.headers.get('cache-control')).toBe('private, no-cache');
      await tidemark.em().getConnection().execute('update accounts set updated_at = now()');
      const changed = await again(path, tag);
      expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
    },
  );

  it('of connections is 304 too, though its tag is made of its content', async () => {
    const tag = await tagOf('/api/v1/connections');
    expect((await again('/api/v1/connections', tag)).status).toBe(304);
    await createConnection(tidemark, client.userId);
    expect((await again('/api/v1/connections', tag)).status).toBe(200);
  });

  it('runs no list query to find that out', async () => {
    const path = '/api/v1/transactions';
    const tag = await tagOf(path);
    const connection = tidemark.em().getConnection();
    await connection.execute('alter table transactions rename to hidden');
    expect((await again(path, tag)).status).toBe(304);
    expect((await client.get(path)).status).toBe(500);
    await connection.execute('alter table hidden rename to transactions');
  });

  it('has another tag for another query, another person and another day', async () => {
    const path = '/api/v1/balances';
    const tag = await tagOf(path);
    expect(await tagOf(`${path}?page=1`)).not.toBe(tag);
    const stranger = await createClient(tidemark);
    expect((await stranger.get(path, { 'If-None-Match': tag })).status).toBe(200);
    tidemark.clock.set('2026-03-16T00:00:00Z');
    expect((await again(path, tag)).status).toBe(200);
  });

  it('is 304 for If-None-Match: *, but a bad parameter is still 422 and carries no tag', async () => {
    expect((await again('/api/v1/balances', '*')).status).toBe(304);
    const bad = await again('/api/v1/balances?page[]=1', '*');
    expect([bad.status, bad.headers.get('etag')]).toEqual([422, null]);
  });
});
