import { setTimeout as wait } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Balancer } from '../drills/harness/balancer.js';
import { run, type Running, start, waitFor } from '../support/run-process.js';

const INSTANCES = 3;
const CLIENTS = 8;
/** Of any speed: a crowded machine serves fewer a second. */
const LEAST_REQUESTS = 500;
/** Between two requests of a client: more of them would only take the time of the instances that start. */
const PAUSE_MS = 10;
/** The balancer looks twice a second. */
const SHUTDOWN_DRAIN_MS = '3000';
const APP_SECRET = 'a root secret for the test of a rolling restart';
/** A busy machine starts six instances, and answers so many requests, one after the other. */
const TIMEOUT_MS = 900_000;

describe('rolling restart', () => {
  let database: TestDatabase;
  let environment: NodeJS.ProcessEnv;
  let balancer: Balancer;
  let started: Running[];

  beforeEach(async () => {
    started = [];
    database = await createTestDatabase();
    balancer = await Balancer.start();
    environment = {
      ...{ DATABASE_URL: database.url, APP_SECRET, PORT: '0', SYNC_CRON: 'off', RATE_LIMIT_PER_MINUTE: '0' },
      SHUTDOWN_DRAIN_MS,
    };
  });
  afterEach(async () => {
    balancer.close();
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
    await database.drop();
  });

  async function startInstance(): Promise<{ instance: Running; url: string }> {
    const instance = start('main', [], environment);
    started.push(instance);
    const [, url = ''] = await instance.line(/^listening on (.*)$/m);
    balancer.add(url);
    await waitFor(() => balancer.areAllReady, 'ready');
    return { instance, url };
  }

  async function createKey(): Promise<string> {
    const email = 'rolling@example.com';
    await run('cli', ['user:create', '--email', email, '--password', 'long enough'], environment);
    const scopes = 'accounts:read,balances:read';
    const made = await run('cli', ['key:create', '--email', email, '--name', 'load', '--scopes', scopes], environment);
    return (JSON.parse(made.stdout) as { key: string }).key;
  }

  it(
    'a rolling restart of three instances under load loses no request',
    async () => {
      const key = await createKey();
      const instances = [];
      for (let count = 0; count < INSTANCES; count++) instances.push(await startInstance());

      let isOver = false;
      const statuses = new Map<number, number>();
      const requests = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isOver) {
          const answer = await fetch(`${balancer.url}/api/v1/accounts`, { headers: { 'X-Api-Key': key } });
          await answer.arrayBuffer();
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          await wait(PAUSE_MS);
        }
      });
      try {
        for (const { instance, url } of instances) {
          instance.child.kill('SIGTERM');
          expect((await instance.finished).code).toBe(0);
          balancer.remove(url);
          await startInstance();
        }
        await waitFor(() => requests() >= LEAST_REQUESTS, `at ${LEAST_REQUESTS} requests`);
      } finally {
        isOver = true;
        await Promise.all(clients);
      }
      expect(balancer.failures).toEqual([]);
      expect([...statuses.keys()]).toEqual([200]);
    },
    TIMEOUT_MS,
  );
});
