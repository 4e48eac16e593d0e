import { MetricsServer } from '../src/health/metrics-server.js';
import { createClient, send, startTestApp, type TestApp } from './app.js';
import { createConnection } from './factories.js';

describe('GET /metrics', () => {
  let tidemark: TestApp | null = null;
  const stop = async () => {
    await tidemark?.stop();
    tidemark = null;
  };
  afterEach(stop);

  it('tells callers on this machine about requests, connections and syncs', async () => {
    tidemark = await startTestApp();
    const client = await createClient(tidemark);
    await createConnection(tidemark, client.userId);
    await client.get('/api/v1/balances/nonsense');
    await client.get('/api/v1/nothing/at/all');
    const { status, headers, body } = await send(`${tidemark.url}/metrics`);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; version=/)]);
    expect(body).toContain('tidemark_connections{provider="us_provider",status="active"} 1');
    expect(body).toMatch(/^tidemark_oldest_sync_age_seconds\{provider="us_provider"\} \d/m);
    expect(body).toContain(
      'tidemark_http_request_seconds_count{method="GET",route="/api/v1/balances/:id",status="404"} 1',
    );
    expect(body).toContain('tidemark_http_request_seconds_count{method="GET",route="none",status="404"} 1');
    expect(body).toContain('process_cpu_seconds_total');
  });

  it('tells nothing to those behind a proxy', async () => {
    tidemark = await startTestApp();
    for (const name of ['X-Forwarded-For', 'Forwarded']) {
      const { status, body } = await send(`${tidemark.url}/metrics`, { headers: { [name]: '203.0.113.5' } });
      expect([status, body.error]).toEqual([404, 'record_not_found']);
    }
  });

  it('has a port of its own with METRICS_PORT, and none at the service then', async () => {
    tidemark = await startTestApp({ METRICS_PORT: '0' });
    const { port } = tidemark.app.get(MetricsServer);
    expect((await send(`http://127.0.0.1:${port}/metrics`)).body).toContain('# TYPE tidemark_connections gauge');
    expect((await send(`${tidemark.url}/metrics`)).status).toBe(404);
    await stop();
    await expect(send(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});
