import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { OpenStreams } from '../../src/http/streams/open-streams.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { OF_THIS_DATABASE, sessionWaitsForLock } from '../support/lock-wait.js';
import { until } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';

/** Together 19 MB: more than the buffers between the service and a client that does not read. */
const ROWS = 10_000;
const ROW_CHARS = 1_900;
const NDJSON = { Accept: 'application/x-ndjson' };

describe('limits of exports', () => {
  let tidemark: TestApp;
  const downloads: IncomingMessage[] = [];

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    tidemark = await startTestApp({ SIGN_UP: 'open', ...environment });
  };
  afterEach(async () => {
    for (const download of downloads.splice(0)) download.destroy();
    await tidemark.stop();
  });

  /** A download that nobody reads. */
  async function download(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(tidemark.url + path, { headers, agent: false }, resolve).on('error', reject);
    });
    answer.on('error', () => undefined);
    downloads.push(answer);
    return answer;
  }

  async function fillAccount(userId: string): Promise<void> {
    const connection = await createConnection(tidemark, userId);
    const { accountId } = await writeSnapshot(tidemark, connection, snapshotAccount());
    await tidemark.em().execute(
      `insert into transactions
         (user_id, account_id, external_id, date, amount_minor, currency, description, pending, first_seen_at)
       select ?, ?, 'many-' || i, date '2025-12-31' - i % 3000, i, 'EUR', repeat('x', ${ROW_CHARS}), false, now()
       from generate_series(1, ${ROWS}) i`,
      [userId, accountId],
    );
  }

  async function richVisitor(): Promise<{ person: Visitor; cookie: string }> {
    const person = new Visitor(tidemark.url);
    await person.signUp();
    const [user]: { id: string }[] = await tidemark.em().execute('select id from users');
    await fillAccount(user!.id);
    return { person, cookie: cookieOf(person) };
  }

  async function richClient(): Promise<TestClient> {
    const client = await createClient(tidemark);
    await fillAccount(client.userId);
    return client;
  }

  const cookieOf = (person: Visitor) => `tidemark=${person.cookie('tidemark')}`;
  const header = ({ headers }: IncomingMessage) => [headers['retry-after'], headers['content-type']];
  const held = async () => {
    const text = `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state <> 'idle' and query ~ '^(begin isolation|declare|fetch|close) '`;
    const [row]: { count: number }[] = await tidemark.em().execute(text);
    return row!.count;
  };
  const allFreed = () => until(async () => ((await held()) === 0 ? true : null), 'free of open cursors');

  it('exports are limited per API key, per user and per instance, on the pages and the API together', async () => {
    await start();
    const { cookie, person } = await richVisitor();
    const [first, second] = [await richClient(), await richClient()];
    const status = async (path: string, headers: Record<string, string>) => (await download(path, headers)).statusCode;
    const list = (client: TestClient) => status('/api/v1/transactions', { 'X-Api-Key': client.key, ...NDJSON });
    expect([await list(first), await list(first), await list(first)]).toEqual([200, 200, 429]);
    expect([await list(second), await list(second)]).toEqual([200, 200]);
    expect(await status('/settings/export', { cookie })).toBe(200);
    const elsewhere = new Visitor(tidemark.url);
    await elsewhere.submit('/sign-in', { email: 'anna@example.com', password: 'correct horse' });
    const full = await download('/settings/export', { cookie: cookieOf(elsewhere) });
    expect([full.statusCode, ...header(full)]).toEqual([503, '5', 'text/html; charset=utf-8']);
    for (const each of downloads.splice(0)) each.destroy();
    await allFreed();
    expect((await person.get('/settings/export')).status).toBe(200);
    const third = (await first.get('/api/v1/transactions', NDJSON)).status;
    expect(third).toBe(200);
  });

  it('a user may have three exports at a time, with any API keys and sessions', async () => {
    await start();
    const { cookie } = await richVisitor();
    const elsewhere = new Visitor(tidemark.url);
    await elsewhere.submit('/sign-in', { email: 'anna@example.com', password: 'correct horse' });
    const statuses: unknown[] = [];
    for (const each of [cookie, cookie, cookieOf(elsewhere), cookieOf(elsewhere)]) {
      statuses.push((await download('/settings/export', { cookie: each })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it.each([
    ['client reads nothing', { IDLE_READER_TIMEOUT_MS: '500' }],
    ['export takes too long in all', { EXPORT_DEADLINE_MS: '500' }],
  ])('an export is aborted and frees its resources when the %s', async (_, environment) => {
    await start(environment);
    const { cookie } = await richVisitor();
    const client = await richClient();
    const unread = [
      await download('/settings/export', { cookie }),
      await download('/api/v1/transactions', { 'X-Api-Key': client.key, ...NDJSON }),
    ];
    await allFreed();
    for (const each of unread) {
      // A client must see that it did not get everything.
      each.resume();
      if (!each.closed) await new Promise((resolve) => each.once('close', resolve));
      expect([each.statusCode, each.complete]).not.toEqual([200, true]);
    }
  });

  it('an export that cannot begin in time is answered 503', async () => {
    await start({ EXPORT_DEADLINE_MS: '200' });
    const client = await richClient();
    const locked = tidemark.em();
    await locked.begin();
    await locked.execute('lock table transactions in access exclusive mode');
    const answer = await download('/api/v1/transactions', { 'X-Api-Key': client.key, ...NDJSON });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
    await locked.rollback();
    await allFreed();
  });

  it('an export whose client has disconnected before it begins is not watched', async () => {
    await start();
    const client = await richClient();
    const streams = tidemark.app.get(OpenStreams);
    let watched = 0;
    const register = streams.register.bind(streams);
    const begun = new Promise<void>((resolve) => {
      jest.spyOn(streams, 'register').mockImplementation((owner, end) => {
        watched++;
        resolve();
        const unregister = register(owner, end);
        return () => {
          watched--;
          unregister();
        };
      });
    });
    const locked = tidemark.em();
    await locked.begin();
    await locked.execute('lock table api_keys in access exclusive mode');
    const closed = new Promise((resolve) => {
      tidemark.app.getHttpServer().once('request', (_request, response: ServerResponse) => {
        response.once('close', resolve);
      });
    });
    const leaving = get(`${tidemark.url}/api/v1/transactions`, { headers: { 'X-Api-Key': client.key, ...NDJSON } });
    leaving.on('error', () => undefined);
    await sessionWaitsForLock(tidemark);
    leaving.destroy();
    await closed;
    await locked.rollback();
    await begun;
    await allFreed();
    expect(watched).toBe(0);
  });

  it('an export whose API key is revoked before it begins is answered 401', async () => {
    await start();
    const client = await richClient();
    const locked = tidemark.em();
    await locked.begin();
    await locked.execute('lock table transactions in access exclusive mode');
    const answer = download('/api/v1/transactions', { 'X-Api-Key': client.key, ...NDJSON });
    const waiting = `select 1 from pg_locks where relation = 'transactions'::regclass and not granted and ${OF_THIS_DATABASE}`;
    await until(async () => (await tidemark.em().execute(waiting))[0] ?? null, 'waiting for its rows');
    await tidemark.em().execute('update api_keys set revoked_at = now() where user_id = ?', [client.userId]);
    expect((await answer).statusCode).toBe(401);
    await locked.rollback();
    await allFreed();
  });

  it('an export uses one database session and is a consistent snapshot', async () => {
    await start();
    const { person, cookie } = await richVisitor();
    const answer = await download('/settings/export', { cookie });
    await new Promise((resolve) => answer.once('readable', resolve));
    await until(async () => ((await held()) === 1 ? true : null), 'reading');
    await tidemark.em().execute(`update transactions set description = 'changed meanwhile'`);
    await tidemark.em().execute(`update sessions set device = 'changed meanwhile'`);
    await tidemark.em().execute(
      `insert into sync_runs (user_id, id, trigger, status, step, queued_at)
       select id, gen_random_uuid(), 'person', 'failed', 'begun meanwhile', now() from users`,
    );
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    expect(text.split('\n').length).toBeGreaterThan(ROWS);
    expect(text.includes('meanwhile')).toBe(false);
    expect((await person.get('/settings/export')).html.includes('begun meanwhile')).toBe(true);
  });

  it('the export of all data has the rows of the user without secrets that give access', async () => {
    await start();
    const person = new Visitor(tidemark.url);
    await person.signUp();
    await person.submit('/settings/invitations', {}, '/settings');
    const [user]: { id: string }[] = await tidemark.em().execute('select id from users');
    const connection = await createConnection(tidemark, user!.id);
    const accounts = [snapshotAccount(), snapshotAccount()];
    for (const account of accounts) await writeSnapshot(tidemark, connection, account);
    const em = tidemark.em();
    await em.execute(
      `insert into provider_requests (user_id, connection_id, sent_at) select user_id, id, now() from connections`,
    );
    await em.execute(
      `insert into accounts_kept_apart (user_id, account_id, other_account_id)
       select a.user_id, a.id, b.id from accounts a join accounts b on a.id < b.id`,
    );
    await em.execute(
      `insert into second_factors (user_id, credential, created_at) select id, 'sealed', now() from users`,
    );
    await em.execute(`insert into recovery_codes (user_id, code_hash, created_at) select id, 'hash', now() from users`);
    await em.execute(
      `insert into deleted_accounts (user_id, connection_id, external_id, account_id, name, deleted_at)
       select user_id, connection_id, external_id || ' before', gen_random_uuid(), name, now() from accounts`,
    );
    await em.execute(
      `insert into webhook_endpoints (user_id, id, url, description, event_types, status, position, created_at)
       select id, id, 'https://hooks.example', '', '{sync.finished}', 'enabled', 1000, now() from users`,
    );
    await em.execute(
      `insert into webhook_secrets (user_id, id, endpoint_id, credential, created_at)
       select id, id, id, 'sealed', now() from users`,
    );
    await em.execute(
      `insert into webhook_deliveries
         (user_id, endpoint_id, number, id, message_id, event_type, trigger, payload, status, created_at)
       select id, id, 1, id, 'msg_1', 'webhook.test', 'test', '{}', 'delivered', now() from users`,
    );
    const { html } = await person.get('/settings/export');
    const types = new Set(
      html
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    );
    expect([...types]).toEqual(expect.arrayContaining(OF_PEOPLE));
    expect(html).not.toMatch(/password_hash|argon2|key_hash|token_hash|code_hash|"credential"|sealed/);
  });
});

/** Those that this test makes. */
const OF_PEOPLE = [
  ...['session', 'invitation', 'second_factor', 'recovery_code', 'provider_request', 'accounts_kept_separate'],
  ...['deleted_account', 'webhook_endpoint', 'webhook_secret', 'webhook_delivery'],
];
