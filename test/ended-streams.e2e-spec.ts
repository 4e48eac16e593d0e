import { get, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { UsersService } from '../src/auth/users.service.js';
import { createClient, startTestApp, StillClock, type TestApp, type TestClient } from './support/app.js';
import { createConnection, snapshotAccount, writeSnapshot } from './support/factories.js';
import { until } from './support/syncs.js';
import { Visitor } from './support/visitor.js';

class RunningClock extends StillClock {
  isHeld = false;

  override now(): Date {
    return this.isHeld ? super.now() : new Date();
  }
}

/** What one instance answers, another one ends: each hears of it from the database. */
describe('streams end with the credential that opened them', () => {
  let here: TestApp;
  let elsewhere: TestApp;
  let people = 0;
  const clock = new RunningClock();
  const streams: IncomingMessage[] = [];

  beforeAll(async () => {
    here = await startTestApp({ SIGN_UP: 'open' }, clock);
    elsewhere = await startTestApp({ SIGN_UP: 'open' }, clock, here.database);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.destroy();
  });
  afterAll(async () => {
    await elsewhere.stop();
    await here.stop();
  });

  async function open(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      get(elsewhere.url + path, { headers, agent: false }, resolve).on('error', reject);
    });
    stream.on('error', () => undefined);
    streams.push(stream);
    expect(stream.statusCode).toBe(200);
    return stream;
  }

  const events = ({ key }: TestClient) => open('/api/v1/events', { 'X-Api-Key': key });
  const download = (person: Visitor) => open('/settings/export', { cookie: `tidemark=${person.cookie('tidemark')}` });

  async function ended(stream: IncomingMessage): Promise<void> {
    stream.resume();
    if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
  }

  /** Waits until no more are read from the database than these. */
  async function noOpenCursors(othersOpen = 0): Promise<void> {
    const text = `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state <> 'idle' and query ~ '^(begin isolation|declare|fetch|close) '`;
    await until(async () => {
      const [row]: { count: number }[] = await here.em().execute(text);
      return row!.count === othersOpen || null;
    }, 'done with the database');
  }

  /** Waits without reading, as a client that reads may have everything before its credential ends. */
  async function brokenOff(file: IncomingMessage, othersOpen = 0): Promise<void> {
    await noOpenCursors(othersOpen);
    await ended(file);
    expect(file.complete).toBe(false);
  }

  const keyOf = async ({ userId }: TestClient) => (await here.app.get(ApiKeysService).list(userId))[0]!.id;

  /** A person whose export is longer than what is underway to a client that does not read. */
  async function newcomer(): Promise<{ person: Visitor; email: string; userId: string }> {
    const person = new Visitor(here.url);
    const email = `visitor-${++people}@example.com`;
    await person.signUp(email);
    const [user]: { id: string }[] = await here.em().execute('select id from users where email = ?', [email]);
    const connection = await createConnection(here, user!.id);
    const { accountId } = await writeSnapshot(here, connection, snapshotAccount());
    await here.em().execute(
      `insert into transactions
         (user_id, account_id, external_id, date, amount_minor, currency, description, pending, first_seen_at)
       select ?, ?, 'many-' || i, '2025-12-31', i, 'EUR', repeat('x', 1900), false, now()
       from generate_series(1, 10000) i`,
      [user!.id, accountId],
    );
    return { person, email, userId: user!.id };
  }

  it('an API key that is revoked', async () => {
    const [client, other] = [await createClient(here), await createClient(here)];
    const [stream, stays] = [await events(client), await events(other)];
    await here.app.get(ApiKeysService).revoke(await keyOf(client), client.userId);
    await ended(stream);
    expect([stream.complete, stays.closed]).toEqual([true, false]);
  });

  it('an API key that is rotated: those of its old secret, and none of the new one', async () => {
    const client = await createClient(here);
    const stream = await events(client);
    const rotation = { id: await keyOf(client), userId: client.userId };
    const later = (await here.app.get(ApiKeysService).rotate({ ...rotation, overlapHours: 1 }))!;
    const stays = await open('/api/v1/events', { 'X-Api-Key': later.key });
    expect([stream.closed, stays.closed]).toEqual([false, false]);
    const newest = (await here.app.get(ApiKeysService).rotate({ ...rotation, overlapHours: 1 }))!;
    await ended(stream);
    const last = await open('/api/v1/events', { 'X-Api-Key': newest.key });
    await here.app.get(ApiKeysService).rotate({ ...rotation, overlapHours: 0 });
    await ended(last);
    await ended(stays);
  });

  it('an API key that is revoked when all of its download is read, and not yet sent', async () => {
    const client = await createClient(here);
    const connection = await createConnection(here, client.userId);
    const { accountId } = await writeSnapshot(here, connection, snapshotAccount());
    // Two batches of the cursor: more than the operating system takes from us for a client that does not read.
    await here.em().execute(
      `insert into transactions
         (user_id, account_id, external_id, date, amount_minor, currency, description, pending, first_seen_at)
       select ?, ?, 'long-' || i, '2025-12-31', i, 'EUR', repeat('x', 60000), false, now()
       from generate_series(1, 300) i`,
      [client.userId, accountId],
    );
    const file = await open('/api/v1/transactions', { 'X-Api-Key': client.key, Accept: 'text/csv' });
    await noOpenCursors();
    await here.app.get(ApiKeysService).revoke(await keyOf(client), client.userId);
    const server = elsewhere.app.getHttpServer();
    const connections = promisify(server.getConnections.bind(server));
    await until(async () => (await connections()) === 0 || null, 'hung up');
    await ended(file);
    expect(file.complete).toBe(false);
  });

  it('an API key that is revoked while no notification comes through', async () => {
    const client = await createClient(here);
    const stream = await events(client);
    await here.em().transactional(async (em) => {
      await em.execute('set local session_replication_role = replica');
      await em.execute('update api_keys set revoked_at = now() where user_id = ?', [client.userId]);
    });
    await ended(stream);
  });

  it('an API key that expires', async () => {
    const client = await createClient(here);
    const expiresAt = new Date(Date.now() + 1_000);
    // However long it takes until the stream is open, the key has not expired by then.
    clock.set(new Date().toISOString());
    clock.isHeld = true;
    const { key } = await here.app
      .get(ApiKeysService)
      .create(client.userId, { name: 'short', scopes: ['connections:read'], expiresAt });
    const stream = await open('/api/v1/events', { 'X-Api-Key': key }).finally(() => (clock.isHeld = false));
    await ended(stream);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('a user who is deleted', async () => {
    const { person, userId } = await newcomer();
    const { key } = await here.app
      .get(ApiKeysService)
      .create(userId, { name: 'key', scopes: ['connections:read'], expiresAt: null });
    const [stream, file] = [await open('/api/v1/events', { 'X-Api-Key': key }), await download(person)];
    await here.app.get(UsersService).delete(userId);
    await Promise.all([ended(stream), brokenOff(file)]);
  });

  it('a session that signs out, and no half of a file looks complete', async () => {
    const { person } = await newcomer();
    const file = await download(person);
    await person.submit('/sign-out', {}, '/settings');
    await brokenOff(file);
  });

  it('sessions that another one ends by changing the password', async () => {
    const { person, email } = await newcomer();
    const other = new Visitor(here.url);
    await other.submit('/sign-in', { email, password: 'correct horse' });
    const [file, stays] = [await download(other), await download(person)];
    const passwords = { password: 'correct horse', new_password: 'battery staple' };
    expect((await person.submit('/settings/password', passwords, '/settings')).status).toBe(303);
    await brokenOff(file, 1);
    expect(stays.closed).toBe(false);
  });

  it('a session that expires', async () => {
    const { person, userId } = await newcomer();
    await here.em().execute(`update sessions set expires_at = now() + interval '3 s' where user_id = ?`, [userId]);
    await brokenOff(await download(person));
  });
});
