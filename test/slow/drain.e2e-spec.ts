import { DrainService } from '../../src/http/drain.service.js';
import { createClient, LOCAL_PROVIDER, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { createConnection } from '../support/factories.js';
import { ended, until } from '../support/syncs.js';

/** Longer than any test. */
const DRAIN_MS = 600_000;

describe('draining an instance', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let forced: AbortController;
  let drained: Promise<void>;

  beforeEach(async () => {
    tidemark = await startTestApp(LOCAL_PROVIDER);
    client = await createClient(tidemark);
    forced = new AbortController();
    drained = Promise.resolve();
  });
  afterEach(async () => {
    forced.abort();
    await drained;
    await tidemark.stop();
  });

  const ready = () => send(`${tidemark.url}/health/ready`);
  const drain = (drainMs = DRAIN_MS) => (drained = tidemark.app.get(DrainService).drain(drainMs, forced.signal));

  it('a draining instance is not ready, still answers requests, and closes each connection after its response', async () => {
    expect((await ready()).status).toBe(200);
    expect((await client.get('/api/v1/me')).headers.get('connection')).toBe('keep-alive');
    void drain();
    const { status, headers, body } = await ready();
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '5', 'unavailable']);
    for (const path of ['/health/live', '/api/v1/me', '/api/v1/balances', '/sign-in']) {
      const answer = await client.get(path);
      expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, 200, 'close']);
    }
  });

  it('an instance without a load balancer drains without delay', async () => {
    await drain();
    expect((await client.get('/api/v1/me')).headers.get('connection')).toBe('close');
  });

  it('a draining instance starts no sync and leaves it to other instances', async () => {
    await ready();
    void drain();
    const connection = await createConnection(tidemark, client.userId);
    const { body: sync } = await client.post(`/api/v1/connections/${connection.id}/sync`);
    const other = await startTestApp(LOCAL_PROVIDER, tidemark.clock, tidemark.database);
    try {
      await ended(client, sync.id);
      // Each instance counts those that it has ended, right after their end is written.
      const hasCounted = async ({ url }: TestApp) =>
        /^tidemark_syncs_total\{.*\} [1-9]/m.test(String((await send(`${url}/metrics`)).body));
      await until(async () => (await hasCounted(other)) || null, 'counted');
      expect(await hasCounted(tidemark)).toBe(false);
    } finally {
      await other.stop();
    }
  });
});
