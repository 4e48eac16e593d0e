import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '../src/config.js';
import { DatabaseListener } from '../src/database/listener.js';
import { migrate } from '../src/database/migrate.js';
import { PreparedStatements } from '../src/database/prepared.js';
import { type SessionUse, usingSessionsFor } from '../src/database/sessions/session-limits.js';
import { createClient, startTestApp, type TestAnswer, type TestApp, type TestClient } from './app.js';
import { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.js';
import { until } from './syncs.js';
import { Visitor } from './visitor.js';

/** Small, so that a test does not wait long; still more than a busy machine needs for one statement. */
const LIMITS = {
  DATABASE_CONNECT_TIMEOUT_MS: '2000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '2000',
  DATABASE_STATEMENT_TIMEOUT_MS: '2000',
  DATABASE_LOCK_TIMEOUT_MS: '500',
};
/** Far more than the limits: without an answer by then there will be none. */
const NO_ANSWER_MS = 60_000;
const POLL_MS = 50;

const expectUnavailable = ({ status, body, headers }: TestAnswer) => {
  expect([status, body.error]).toEqual([503, 'unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
};

/** A server of the test's own: it is frozen, filled up and started again. */
class OwnServer {
  readonly #clients: pg.Client[] = [];

  private constructor(readonly server: ThrowawayPostgres) {}

  static async start(): Promise<OwnServer> {
    const own = new OwnServer(await startThrowawayPostgres('limits'));
    await migrate(own.address, readConfig({}, {}).database);
    return own;
  }

  get address() {
    const { host, port, user, dbName } = this.server;
    return { host, port, user, dbName };
  }

  /** As an outside database, for `startTestApp`. */
  get database() {
    const { host, port, user, dbName } = this.server;
    const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${dbName}`;
    return { address: this.address, url, drop: () => Promise.resolve() };
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.database.url);
    client.on('error', () => undefined);
    await client.connect();
    this.#clients.push(client);
    return client;
  }

  /** Like a network that swallows everything: connections stay open and nothing answers. @returns the way back */
  async freeze(): Promise<() => void> {
    const client = await this.connect();
    const postmaster = Number(
      (await readFile(join(this.server.folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
    );
    // From now on there are no new processes.
    process.kill(postmaster, 'SIGSTOP');
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    const pids = [postmaster, ...rows.map(({ pid }) => pid)];
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) {
        try {
          process.kill(pid, name);
        } catch {
          // It has ended by now.
        }
      }
    };
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }

  /** Opens sessions until the server takes no more. */
  async fillUp(): Promise<void> {
    for (;;) {
      try {
        await this.connect();
      } catch (error) {
        if ((error as { code?: string }).code === '53300') return;
        throw error;
      }
    }
  }

  async disconnect(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.server.stop();
  }
}

describe('the limits towards PostgreSQL', () => {
  let own: OwnServer;
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    own = await OwnServer.start();
  });
  beforeEach(async () => {
    tidemark = await startTestApp(LIMITS, undefined, own.database);
    client = await createClient(tidemark);
  });
  afterEach(async () => {
    await tidemark.stop();
    await own.disconnect();
    await tidemark.database.drop();
  });
  afterAll(() => own.stop());

  const get = (path: string) =>
    fetch(tidemark.url + path, { redirect: 'manual', signal: AbortSignal.timeout(NO_ANSWER_MS) });
  const isReady = async () => (await get('/health/ready')).status === 200;

  it('answer 503 while another session has locked a table', async () => {
    const other = await own.connect();
    await other.query('begin; lock table accounts in access exclusive mode');
    expectUnavailable(await client.get('/api/v1/accounts'));
    expect(await isReady()).toBe(true);
    await other.query('rollback');
    expect((await client.get('/api/v1/accounts')).status).toBe(200);
  });

  it('answer a page with 503 when a statement takes too long', async () => {
    await tidemark.em().execute(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
      create trigger dawdle before insert on sessions for each row execute function dawdle()`);
    try {
      const [user] = await tidemark
        .em()
        .execute<{ email: string }[]>('select email from users where id = ?', [client.userId]);
      const fields = { email: user!.email, password: 'correct horse' };
      const page = await new Visitor(tidemark.url).submit('/sign-in', fields);
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
      expect(page.text).toContain('The database is busy. Try again in a moment.');
    } finally {
      await tidemark.em().execute('drop function dawdle cascade');
    }
  });

  it.each<[SessionUse, { statement: string; lock: string; idle: string }]>([
    ['request', { statement: '2s', lock: '500ms', idle: '30s' }],
    ['background', { statement: '10min', lock: '1min', idle: '30s' }],
    ['export', { statement: '1min', lock: '500ms', idle: '2min' }],
  ])('are those of a %s in the sessions that it uses', async (use, expected) => {
    const text = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const prepared = tidemark.app.get(PreparedStatements);
    const seen = await usingSessionsFor(use, () =>
      Promise.all([
        tidemark.em().execute<[unknown]>(text),
        tidemark.em().transactional((em) => em.execute<[unknown]>(text)),
        prepared.query({ name: 'limits', text }, []),
      ]),
    );
    expect(seen).toEqual([[expected], [expected], [expected]]);
  });

  it('answer 503 while the server takes no more sessions', async () => {
    await own.fillUp();
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.get('/api/v1/accounts')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toContain(503);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await own.disconnect();
    await until(async () => (await client.get('/api/v1/accounts')).status === 200 || null, 'well again');
  });

  it('answer 503 while the server is frozen, and everything recovers', async () => {
    const isListening = async () => {
      await wait(POLL_MS);
      return tidemark.app.get(DatabaseListener).isListening;
    };
    await until(async () => (await isListening()) || null, 'listening');
    const thaw = await own.freeze();
    try {
      const before = performance.now();
      expect((await get('/health/ready')).status).toBe(503);
      // Its own limit is 2 s; requests wait for twice as long.
      expect(performance.now() - before).toBeLessThan(10_000);
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.get('/api/v1/accounts')));
      answers.forEach(expectUnavailable);
      const page = await get('/sign-in');
      expect([page.status, page.headers.has('retry-after')]).toEqual([503, true]);
      await until(async () => !(await isListening()) || null, 'aware of the silence');
    } finally {
      thaw();
    }
    await until(async () => (await isReady()) || null, 'ready again');
    await until(async () => (await isListening()) || null, 'listening again');
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.get('/api/v1/accounts')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
