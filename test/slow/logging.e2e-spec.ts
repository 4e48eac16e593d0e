import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisTest } from '../support/after-this-test.js';
import { createTestDatabase, onServer } from '../support/database.js';
import { type Running, start, waitFor } from '../support/run-process.js';

const SECRET = 'a root secret for the tests of the log';

interface Started {
  service: Running;
  url: string;
  databaseUrl: string;
}

async function startService(environment: NodeJS.ProcessEnv): Promise<Started> {
  const database = await createTestDatabase();
  afterThisTest(() => database.drop());
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-logging-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  const basics = { DATABASE_URL: database.url, APP_SECRET: SECRET, PORT: '0', SYNC_CRON: 'off', DATA_DIR: folder };
  const service = start('main', [], { ...basics, ...environment });
  afterThisTest(async () => {
    service.child.kill('SIGKILL');
    await service.finished;
  });
  const [, url = ''] = await service.line(/^listening on (http:\S+)$/m);
  return { service, url, databaseUrl: database.url };
}

const linesOf = ({ stderr }: Running) =>
  stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('log', () => {
  it('the log has one line per request at debug with its request id, and the instance on all lines', async () => {
    const { service, url } = await startService({ LOG_LEVEL: 'debug' });
    const headers = { 'X-Request-Id': 'request-of-the-test' };
    await (await fetch(`${url}/api/v1/accounts?search=secret-wish`, { headers })).text();
    const forged = { 'X-Request-Id': '"} {"level":60,"msg":"forged"}', 'User-Agent': '{"msg":"forged"}' };
    await (await fetch(`${url}/health/live`, { headers: forged })).text();
    const access = () => linesOf(service).filter(({ context }) => context === 'Access');
    await waitFor(() => access().length >= 2, 'logged');
    expect(access()).toMatchObject([
      { level: 20, request: 'request-of-the-test', method: 'GET', path: '/api/v1/accounts', status: 401 },
      {
        method: 'GET',
        path: '/health/live',
        status: 200,
        request: expect.any(String),
        duration_ms: expect.any(Number),
      },
    ]);
    expect(service.stderr).not.toContain('secret-wish');
    expect(service.stderr).not.toContain('forged');
    const instances = new Set(linesOf(service).map(({ instance }) => instance));
    expect([...instances]).toEqual([expect.stringMatching(new RegExp(`-${service.child.pid}$`))]);
  });

  it('all workers log the same line when they cannot reach the queue, so that few of them are written', async () => {
    const { service, databaseUrl } = await startService({});
    await onServer('alter schema pgboss rename to pgboss_away', databaseUrl);
    const ofWorkers = () => linesOf(service).filter(({ msg }) => /^Job queue error: .*\(Queue: sync/.test(String(msg)));
    await waitFor(() => ofWorkers().length >= 3, 'the warnings of three workers');
    expect(new Set(ofWorkers().map(({ msg }) => msg)).size).toBe(1);
  });
});
