import { isInstalled } from '../support/installed.js';
import { readFileSync } from 'node:fs';
import { MetricsServer } from '../../src/operate/exposition/metrics-server.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, startTestApp, type TestApp } from '../support/app.js';
import { createConnection } from '../support/factories.js';
import { OwnServer } from '../support/own-server.js';
import { rawRequest } from '../support/raw-request.js';
import { SyncScene } from '../support/sync-scene.js';
import { until } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';

/** Metrics that only a module has. */
const OF_MODULES = [
  ['webhooks', 'tidemark_webhook'],
  ['backup', 'tidemark_newest_backup'],
] as const;

describe('GET /metrics', () => {
  let tidemark: TestApp | null = null;
  const stop = async () => {
    await tidemark?.stop();
    tidemark = null;
  };
  afterEach(stop);

  it('GET /metrics shows requests, connections and syncs to callers on this machine, and all that alerts name', async () => {
    tidemark = await startTestApp();
    const client = await createClient(tidemark);
    await createConnection(tidemark, client.userId);
    await client.get('/api/v1/balances/nonsense');
    await client.get('/api/v1/nothing/at/all');
    const { status, headers, body } = await send(`${tidemark.url}/metrics`);
    namesEverything(String(body));
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; version=/)]);
    expect(body).toContain('tidemark_connections{provider="us_provider",status="active"} 1');
    expect(body).toContain('tidemark_stale_accounts{provider="us_provider"} 0');
    expect(body).toMatch(/^tidemark_oldest_sync_age_seconds\{provider="us_provider"\} \d/m);
    expect(body).toContain(
      'tidemark_http_request_seconds_count{method="GET",route="/api/v1/balances/:id",status="404"} 1',
    );
    expect(body).toContain('tidemark_http_request_seconds_count{method="GET",route="none",status="404"} 1');
    expect(body).toContain('process_cpu_seconds_total');
  });

  function namesEverything(body: string): void {
    const served = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    for (const file of ['ops/alerts.yml', 'ops/grafana.json']) {
      const named = readFileSync(file, 'utf8').match(/\b(?:tidemark|nodejs|process)_\w+/g) ?? [];
      const unknown = named
        .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))
        .filter((name) => !served.has(name))
        .filter((name) => !OF_MODULES.some(([module, prefix]) => name.startsWith(prefix) && !isInstalled(module)));
      expect([file, unknown]).toEqual([file, []]);
      expect(named.length).toBeGreaterThan(5);
    }
  }

  it('GET /metrics counts syncs by provider, result and kind, and shows what is left of the budget', async () => {
    const scene = await SyncScene.start();
    afterThisTest(() => scene.stop());
    await scene.synced();
    // The clock of the service stands still in the past, that of the database does not.
    await scene.execute(
      'insert into provider_requests (user_id, connection_id, sent_at) select user_id, id, now() from connections',
    );
    // A sync is counted, and its job ends, right after its end is written.
    const body = await until(async () => {
      const { body } = await send(`${scene.tidemark.url}/metrics`);
      const isCounted = /^tidemark_syncs_total\{.*\} 1$/m.test(String(body));
      return isCounted && String(body).includes('tidemark_sync_jobs{state="active"} 0') ? String(body) : null;
    }, 'counted');
    expect(body).toContain('tidemark_syncs_total{provider="us_provider",status="succeeded",kind="none"} 1');
    // Those that have not been counted yet are 0, not missing.
    expect(body).toContain('tidemark_syncs_total{provider="us_provider",status="failed",kind="network"} 0');
    expect(body).toContain('tidemark_sync_seconds_count{provider="us_provider",status="succeeded"} 1');
    expect(body).toMatch(/^tidemark_newest_sync_age_seconds\{provider="us_provider"\} \d/m);
    expect(body).toMatch(/^tidemark_provider_budget_left\{provider="us_provider"\} 23$/m);
    for (const state of ['due', 'postponed']) expect(body).toContain(`tidemark_sync_jobs{state="${state}"} 0`);
    expect(body).toContain('tidemark_sync_oldest_due_job_seconds 0');
  });

  it('GET /metrics counts failed sign-ins and requests over the limit', async () => {
    tidemark = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1' });
    const client = await createClient(tidemark);
    for (const status of [200, 429]) expect((await client.get('/api/v1/me')).status).toBe(status);
    await new Visitor(tidemark.url).post('/sign-in', { email: 'nobody@example.com', password: 'wrong' });
    const { body } = await send(`${tidemark.url}/metrics`);
    expect(body).toContain('tidemark_rate_limited_total{route="/api/v1/me"} 1');
    expect(body).toContain('tidemark_sign_in_failures_total{reason="wrong"} 1');
    expect(body).toContain('tidemark_sign_in_failures_total{reason="limited"} 0');
  });

  it('GET /metrics shows what is known without the database while that is frozen', async () => {
    const own = await OwnServer.start();
    afterThisTest(() => own.stop());
    tidemark = await startTestApp({}, undefined, own.database);
    const url = `${tidemark.url}/metrics`;
    expect((await send(url)).body).toContain('tidemark_database_up 1');
    const thaw = await own.freeze();
    let frozen;
    try {
      frozen = await send(url);
    } finally {
      thaw();
    }
    expect(frozen.status).toBe(200);
    expect(frozen.body).toContain('tidemark_database_up 0');
    expect(frozen.body).not.toMatch(/^tidemark_sync_jobs\{/m);
    expect(frozen.body).not.toMatch(/^tidemark_database_writable/m);
    expect(frozen.body).toMatch(
      /^tidemark_http_request_seconds_count\{method="GET",route="\/metrics",status="200"\} \d/m,
    );
    expect(frozen.body).toMatch(/^tidemark_build_info\{version="\d+\.\d+\.\d+",node="[\d.]+"\} 1$/m);
    expect(frozen.body).toMatch(/^tidemark_database_sessions\{pool="entities",state="used"\} \d/m);
    expect(frozen.body).toMatch(/^tidemark_database_waiting\{pool="plain"\} 0$/m);
    expect(frozen.body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    await until(async () => (String((await send(url)).body).includes('tidemark_database_up 1') ? true : null), 'up');
  });

  it('GET /metrics shows that the database takes no changes, and the instance is not ready then', async () => {
    const own = await OwnServer.start();
    afterThisTest(() => own.stop());
    tidemark = await startTestApp({}, undefined, own.database);
    const url = `${tidemark.url}/metrics`;
    expect((await send(url)).body).toContain('tidemark_database_writable 1');
    expect((await send(`${tidemark.url}/health/ready`)).status).toBe(200);
    // As on a standby, where each transaction is read-only, too.
    const admin = await own.connect();
    await admin.query('alter system set default_transaction_read_only = on');
    await admin.query('select pg_reload_conf()');
    await until(
      async () => (String((await send(url)).body).includes('tidemark_database_writable 0') ? true : null),
      'read-only',
    );
    expect((await send(url)).body).toContain('tidemark_database_up 1');
    const { status, body } = await send(`${tidemark.url}/health/ready`);
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ error: 'unavailable', message: 'The database accepts no changes at the moment.' }),
    ]);
  });

  it('GET /metrics shows nothing to callers behind a proxy, whatever the proxy says of itself', async () => {
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

  it('GET /metrics has a port of its own with METRICS_PORT, and is not served elsewhere then', async () => {
    tidemark = await startTestApp({ METRICS_PORT: '0' });
    const { port } = tidemark.app.get(MetricsServer);
    expect((await send(`http://127.0.0.1:${port}/metrics`)).body).toContain('# TYPE tidemark_connections gauge');
    expect((await send(`${tidemark.url}/metrics`)).status).toBe(404);
    const answers = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
    const named = await answers('/metrics', { method: 'HEAD', headers: { 'X-Request-Id': 'scrape-1' } });
    expect([named.status, named.headers.get('x-request-id')]).toEqual([200, 'scrape-1']);
    for (const [path, method, expected] of [
      ['/', 'GET', [404, null, 'record_not_found']],
      ['/metrics/more', 'GET', [404, null, 'record_not_found']],
      ['/metrics', 'POST', [405, 'GET, HEAD', 'method_not_allowed']],
    ] as const) {
      const answer = await answers(path, { method });
      const { error } = (await answer.json()) as { error: string };
      expect([path, [answer.status, answer.headers.get('allow'), error]]).toEqual([path, expected]);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    await stop();
    await expect(send(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});
