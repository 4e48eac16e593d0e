import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../src/platform/config/config.js';
import { DatabaseListener } from '../../src/database/listener.js';
import type { SessionUse } from '../../src/platform/config/database-settings.js';
import { withCopySession } from '../../src/database/plain-session.js';
import { usingSessionsFor } from '../../src/database/sessions/bounded-client.js';
import { createClient, startTestApp, type TestAnswer, type TestApp, type TestClient } from '../support/app.js';
import { OwnServer } from '../support/own-server.js';
import { start } from '../support/run-process.js';
import { until } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';

/** Small, so that a test does not wait long; still more than a busy machine needs for one statement. */
const LIMITS = {
  DATABASE_CONNECT_TIMEOUT_MS: '2000',
  DATABASE_STATEMENT_TIMEOUT_MS: '2000',
  DATABASE_LOCK_TIMEOUT_MS: '500',
  DATABASE_EXPORT_STATEMENT_TIMEOUT_MS: '60000',
};
/** Far more than the limits: without an answer by then there will be none. */
const NO_ANSWER_MS = 60_000;
const POLL_MS = 50;

const expectUnavailable = ({ status, body, headers }: TestAnswer) => {
  expect([status, body.error]).toEqual([503, 'unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
};

describe('timeouts and limits of database sessions', () => {
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

  it('a request is answered 503 while another session has locked its table', async () => {
    const other = await own.connect();
    await other.query('begin; lock table accounts in access exclusive mode');
    expectUnavailable(await client.get('/api/v1/accounts'));
    expect(await isReady()).toBe(true);
    await other.query('rollback');
    expect((await client.get('/api/v1/accounts')).status).toBe(200);
  });

  it('a COPY ends with an error when its server is frozen', async () => {
    const { database } = readConfig([], [], {}, { DATABASE_MIGRATION_STATEMENT_TIMEOUT_MS: '100' });
    let thaw = () => undefined as void;
    const copying = withCopySession(own.address, database, async (session) => {
      thaw = await own.freeze();
      await session.query('select 1');
    });
    await expect(copying.finally(() => thaw())).rejects.toThrow('Query read timeout');
  });

  it('many requests of one user that wait for a locked table leave sessions for other users', async () => {
    const [other, neighbour] = [await own.connect(), await createClient(tidemark)];
    await other.query('begin; lock table accounts in access exclusive mode');
    const held = Array.from({ length: 40 }, () => client.get('/api/v1/accounts'));
    const waiting = `select count(*)::int as n from pg_stat_activity where wait_event = 'relation'`;
    while ((await other.query<{ n: number }>(waiting)).rows[0]!.n === 0);
    expect((await neighbour.get('/api/v1/syncs')).status).toBe(200);
    await other.query('rollback');
    await Promise.all(held);
    expect((await client.get('/api/v1/accounts')).status).toBe(200);
  });

  it('a page is answered 500 if a statement takes too long, since a retry would take as long', async () => {
    await tidemark.em().execute(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
      create trigger dawdle before insert on sessions for each row execute function dawdle()`);
    try {
      const [user] = await tidemark
        .em()
        .execute<{ email: string }[]>('select email from users where id = ?', [client.userId]);
      const fields = { email: user!.email, password: 'correct horse' };
      const page = await new Visitor(tidemark.url).submit('/sign-in', fields);
      expect([page.status, page.headers.get('retry-after')]).toEqual([500, null]);
    } finally {
      await tidemark.em().execute('drop function dawdle cascade');
    }
  });

  it.each<[SessionUse, { statement: string; lock: string; idle: string }]>([
    ['request', { statement: '2s', lock: '500ms', idle: '30s' }],
    ['background', { statement: '10min', lock: '1min', idle: '30s' }],
    ['export', { statement: '1min', lock: '500ms', idle: '2min' }],
  ])('a %s uses sessions with its own timeouts', async (use, expected) => {
    const text = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const seen = await usingSessionsFor(use, () =>
      Promise.all([tidemark.em().transactional((em) => em.execute<[unknown]>(text))]),
    );
    expect(seen).toEqual([[expected]]);
  });

  it('a request is answered 503 while the server accepts no more sessions', async () => {
    await own.fillUp();
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.get('/api/v1/accounts')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toContain(503);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await own.disconnect();
    await until(async () => (await client.get('/api/v1/accounts')).status === 200 || null, 'well again');
  });

  it('a request is answered 503 while the database server is frozen, and all requests work afterwards', async () => {
    const isListening = async () => {
      await wait(POLL_MS);
      return tidemark.app.get(DatabaseListener).isListening;
    };
    await until(async () => (await isListening()) || null, 'listening');
    // Its session is there, so the request waits for an answer and not for a session.
    expect((await client.get('/api/v1/accounts')).status).toBe(200);
    const thaw = await own.freeze();
    try {
      // Its own limit is 2 s; requests wait for twice as long.
      const request = client.get('/api/v1/accounts');
      const ready = get('/health/ready');
      const first = await Promise.race([ready.then(() => 'ready'), request.then(() => 'request')]);
      expect([first, (await ready).status]).toEqual(['ready', 503]);
      expectUnavailable(await request);
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

describe('stopping with a frozen database server', () => {
  it('an instance stops although its database server is frozen', async () => {
    const own = await OwnServer.start();
    const environment = {
      ...LIMITS,
      DATABASE_URL: own.database.url,
      APP_SECRET: 'the root secret of the tests',
      PORT: '0',
    };
    const service = start('main', [], environment);
    let thaw = () => {};
    try {
      const [, url] = await service.line(/listening on (\S+)/);
      thaw = await own.freeze();
      const stuck = fetch(`${url}/sign-in`).catch(() => undefined);
      service.child.kill('SIGTERM');
      await Promise.all([stuck, service.finished]);
      expect(service.child.signalCode).toBeNull();
    } finally {
      service.child.kill('SIGKILL');
      thaw();
      await own.stop();
    }
  });
});
