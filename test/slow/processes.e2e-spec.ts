import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { afterThisTest } from '../support/after-this-test.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { childrenOf } from '../drills/harness/processes.js';
import { run, Running, start, waitFor } from '../support/run-process.js';

const PROCESSES = 3;
const CLIENTS = 6;
const PAUSE_MS = 20;
const AT_ONCE = 20;
const APP_SECRET = 'a root secret for the test of processes';
const TIMEOUT_MS = 300_000;

/** A line that the service logs as JSON. */
interface LogLine {
  instance: string;
  msg: string;
}

describe('several processes behind one port', () => {
  let database: TestDatabase;
  let environment: NodeJS.ProcessEnv;
  let service: Running;
  let url: string;
  let key: string;
  let asked: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    environment = {
      ...{ DATABASE_URL: database.url, APP_SECRET, PORT: '0', SYNC_CRON: 'off', RATE_LIMIT_PER_MINUTE: '0' },
      ...{ WEB_CONCURRENCY: String(PROCESSES), LOG_LEVEL: 'debug' },
    };
    key = await createKey();
  }, TIMEOUT_MS);
  afterAll(() => database.drop());
  beforeEach(async () => {
    asked = 0;
    service = start('main', [], environment);
    [, url = ''] = await service.line(/^listening on (.*)$/m);
  }, TIMEOUT_MS);
  afterEach(async () => {
    service.child.kill('SIGKILL');
    await service.finished;
  });

  async function createKey(): Promise<string> {
    const email = 'processes@example.com';
    await run('cli', ['user:create', '--email', email, '--password', 'long enough'], environment);
    const scopes = 'accounts:read';
    const made = await run('cli', ['key:create', '--email', email, '--name', 'load', '--scopes', scopes], environment);
    return (JSON.parse(made.stdout) as { key: string }).key;
  }

  /** On a connection of its own, so that it reaches the next process. */
  const get = (path: string) => fetch(`${url}${path}`, { headers: { 'X-Api-Key': key, Connection: 'close' } });

  const logged = (text: string) =>
    // Most often it is not there yet, and a log of thousands of lines need not be cut.
    (service.stderr.includes(text) ? service.stderr.split('\n') : []).flatMap((line) => {
      if (!line.includes(text)) return [];
      return [JSON.parse(line) as LogLine];
    });

  /** Of the processes that have answered requests so far, by their access lines. */
  const answered = () => [
    ...new Set(logged('GET /api/v1/accounts 200').map(({ instance }) => Number(instance.split('-').at(-1)))),
  ];

  /** Asks until so many processes have answered. */
  async function pidsOf(count: number): Promise<number[]> {
    await waitFor(async () => {
      // One at a time, the same process might always be the first to take it.
      asked += AT_ONCE;
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => get('/api/v1/accounts')));
      for (const answer of answers) await answer.arrayBuffer();
      return answered().length >= count;
    }, `answered by ${count} processes`);
    return answered();
  }

  const countOf = (requests: number) =>
    `tidemark_http_request_seconds_count{method="GET",route="/api/v1/accounts",status="200"} ${requests}\n`;

  function startClients() {
    let isOver = false;
    const statuses = new Map<string, number>();
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      while (!isOver) {
        const path = client % 2 ? '/api/v1/accounts' : '/health/ready';
        const seen = await (client % 3 ? get(path) : fetch(`${url}${path}`, { headers: { 'X-Api-Key': key } })).then(
          async (answer) => {
            const text = await answer.text();
            return answer.status === 200 ? '200' : `${path} ${answer.status} ${text}`;
          },
          (error: Error) => `${path} ${(error.cause as Error | undefined)?.message ?? error.message}`,
        );
        statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
        await wait(PAUSE_MS);
      }
    });
    const stop = async () => {
      isOver = true;
      await Promise.all(clients);
      return [...statuses.keys()];
    };
    // Those of a test that has failed would be counted in the next one.
    afterThisTest(stop);
    return stop;
  }

  it(
    'all serve, answer for all in their metrics, and stop together',
    async () => {
      const pids = await pidsOf(PROCESSES);
      expect(pids).not.toContain(service.child.pid);
      const metrics = await (await get('/metrics')).text();
      // Each counts its own: the sum is what the clients sent.
      expect(metrics).toContain(countOf(asked));
      expect(metrics).toContain('tidemark_database_up 1');
      expect(metrics).toMatch(/^tidemark_build_info\{.*\} 1$/m);
      service.child.kill('SIGTERM');
      expect((await service.finished).code).toBe(0);
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    },
    TIMEOUT_MS,
  );

  it(
    'go on when one of them is killed, and get another in its place, and no more where it is being replaced',
    async () => {
      const pids = await pidsOf(PROCESSES);
      const stop = startClients();
      process.kill(Math.max(...pids), 'SIGKILL');
      await waitFor(() => logged('A new process has replaced the one that died').length === 1, 'replaced');
      // What the killed one had taken is reset. Nothing hangs, or the clients would not end.
      expect((await stop()).filter((seen) => seen !== '200' && !/reset|closed|socket|ECONN/i.test(seen))).toEqual([]);
      expect(logged('A process died (SIGKILL)')).toHaveLength(1);
      expect(await pidsOf(PROCESSES + 1)).toHaveLength(PROCESSES + 1);
      expect((await get('/health/ready')).status).toBe(200);

      const children = () => childrenOf(service.child.pid!);
      service.child.kill('SIGUSR2');
      await waitFor(() => children().length > PROCESSES, 'starting one');
      // The first one to be replaced.
      process.kill(Math.min(...pids), 'SIGKILL');
      await waitFor(() => logged(`Replaced ${PROCESSES} processes.`).length === 1, 'replaced');
      expect([children().length, logged('A process died').length]).toEqual([PROCESSES, 1]);
    },
    TIMEOUT_MS,
  );

  it(
    'are replaced one after the other on SIGUSR2, and no request is refused',
    async () => {
      const before = await pidsOf(PROCESSES);
      const stop = startClients();
      service.child.kill('SIGUSR2');
      await waitFor(() => logged(`Replaced ${PROCESSES} processes.`).length === 1, 'replaced');
      expect(await stop()).toEqual(['200']);
      for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      expect(await pidsOf(2 * PROCESSES)).toHaveLength(2 * PROCESSES);
    },
    TIMEOUT_MS,
  );

  it(
    'count for those that have ended, too',
    async () => {
      const counted = () =>
        waitFor(async () => {
          const metrics = await (await get('/metrics')).text();
          return metrics.includes(countOf(asked));
        }, `counted ${asked} requests`);
      const pids = await pidsOf(PROCESSES);
      await counted();
      process.kill(pids[0]!, 'SIGKILL');
      await waitFor(() => logged('A new process has replaced the one that died').length === 1, 'replaced');
      await counted();
      // Since the last scrape.
      await pidsOf(PROCESSES + 1);
      service.child.kill('SIGUSR2');
      await waitFor(() => logged(`Replaced ${PROCESSES} processes.`).length === 1, 'replaced');
      await counted();
      await pidsOf(2 * PROCESSES + 1);
      await counted();
    },
    TIMEOUT_MS,
  );

  it(
    'end with their supervisor',
    async () => {
      const pids = await pidsOf(PROCESSES);
      service.child.kill('SIGKILL');
      await service.finished;
      const isGone = (pid: number) => {
        try {
          return !process.kill(pid, 0);
        } catch {
          return true;
        }
      };
      await waitFor(() => pids.every(isGone), 'ended');
      // In order, not at once.
      expect(service.stderr).toContain('The supervisor has exited, so this process stops.');
    },
    TIMEOUT_MS,
  );
});

describe('a process that the system does not start', () => {
  it('is a sentence, and no end of the supervisor', async () => {
    const script = `
      const cluster = (await import('node:cluster')).default;
      const { Lifecycle } = await import('./dist/bootstrap/lifecycle.js');
      const { Supervisor } = await import('./dist/bootstrap/processes/supervisor.js');
      cluster.setupPrimary({ exec: 'dist/bundle/main.js', cwd: '/nowhere' });
      await Lifecycle.run(async (lifecycle) => {
        await new Supervisor({ webConcurrency: 2, shutdownDrainMs: 0 }, console, lifecycle).start();
      });`;
    const supervisor = new Running(spawn(process.execPath, ['--input-type=module', '-e', script]));
    expect(await supervisor.finished).toMatchObject({ code: 1, stderr: 'A process could not be started (ENOENT).\n' });
  });
});
