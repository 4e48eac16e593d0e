import { MetricsServer } from '../src/health/metrics-server.js';
import { createClient, send, startTestApp, type TestApp } from './app.js';
import { createConnection } from './factories.js';
import { rawRequest } from './raw-request.js';

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

  it('tells nothing to those behind a proxy, whatever the proxy says of itself', async () => {
    tidemark = await startTestApp({ TRUSTED_PROXIES: 'loopback', ALLOWED_HOSTS: 'money.example.org' });
    const url = `${tidemark.url}/metrics`;
    const proxied = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'X-Real-IP', 'Via'];
    for (const name of proxied) {
      const value = name === 'X-Forwarded-Host' ? 'localhost' : '127.0.0.1';
      const { status, body } = await send(url, { headers: { [name]: value } });
      expect([name, status, body.error]).toEqual([name, 404, 'record_not_found']);
    }
    expect((await rawRequest(url, { headers: { host: 'money.example.org' } })).status).toBe(404);
    expect((await rawRequest(url, { headers: { host: 'localhost' } })).status).toBe(200);
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
