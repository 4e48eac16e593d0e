import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { UsersService } from '../../src/auth/users.service.js';
import { createClient, startTestApp, StillClock, type TestApp, type TestClient } from '../support/app.js';
import { createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { HELD, holdAnswers } from '../support/held-answers.js';
import { Visitor } from '../../src/kit/visitor.js';

const NOW = '2026-03-15T12:00:00.000Z';
/** So soon that the service, whose clock stands still, looks again and again. */
const SOON = '2026-03-15T12:00:00.050Z';

/** What one instance answers, another one ends: each hears of it from the database. */
describe('ending streams and downloads with their credential', () => {
  let here: TestApp;
  let elsewhere: TestApp;
  let letGo: () => void;
  let people = 0;
  const clock = new StillClock();
  const streams: IncomingMessage[] = [];

  beforeAll(async () => {
    // Nobody but the credential ends a download that is not read.
    const environment = { SIGN_UP: 'open', IDLE_READER_TIMEOUT_MS: '600000' };
    here = await startTestApp(environment, clock);
    elsewhere = await startTestApp(environment, clock, here.database);
    letGo = holdAnswers(elsewhere);
  });
  beforeEach(() => clock.set(NOW));
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.destroy();
    letGo();
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
  const download = (person: Visitor) =>
    open('/settings/export', { cookie: `tidemark=${person.cookie('tidemark')}`, ...HELD });

  async function ended(stream: IncomingMessage): Promise<void> {
    stream.resume();
    if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
  }

  async function brokenOff(file: IncomingMessage): Promise<void> {
    await ended(file);
    expect(file.complete).toBe(false);
  }

  const keyOf = async ({ userId }: TestClient) => (await here.app.get(ApiKeysService).list(userId))[0]!.id;

  /** A person whose export takes several batches of its cursor, of which a client that does not read receives none. */
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
       from generate_series(1, 1000) i`,
      [user!.id, accountId],
    );
    return { person, email, userId: user!.id };
  }

  it('an event stream ends when its API key is revoked, and no other one does', async () => {
    const [client, other] = [await createClient(here), await createClient(here)];
    const [stream, stays] = [await events(client), await events(other)];
    await here.app.get(ApiKeysService).revoke(await keyOf(client), client.userId);
    await ended(stream);
    expect([stream.complete, stays.closed]).toEqual([true, false]);
  });

  it('an event stream ends when the secret that opened it ends, and one of the new secret does not', async () => {
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

  it('a download ends when its API key is revoked after everything was read and before it is sent', async () => {
    const client = await createClient(here);
    const connection = await createConnection(here, client.userId);
    // The second batch of the cursor, of one row, is what the client does not receive.
    const transactions = Array.from({ length: 201 }, () => transaction('2026-03-10', -500));
    await writeSnapshot(here, connection, snapshotAccount({ transactions }));
    const everythingIsRead = new Promise<void>((resolve) => {
      elsewhere.app
        .getHttpServer()
        .once('request', (_: IncomingMessage, response: ServerResponse) => response.once('prefinish', resolve));
    });
    const file = await open('/api/v1/transactions', { 'X-Api-Key': client.key, Accept: 'text/csv', ...HELD });
    await everythingIsRead;
    await here.app.get(ApiKeysService).revoke(await keyOf(client), client.userId);
    await brokenOff(file);
  });

  it('an event stream ends when its API key is revoked while no notification comes through', async () => {
    const client = await createClient(here);
    const stream = await events(client);
    await here.em().transactional(async (em) => {
      await em.execute('set local session_replication_role = replica');
      await em.execute('update api_keys set revoked_at = now() where user_id = ?', [client.userId]);
    });
    await ended(stream);
  });

  it('an event stream ends when its API key expires', async () => {
    const client = await createClient(here);
    const { key } = await here.app
      .get(ApiKeysService)
      .create(client.userId, { name: 'short', scopes: ['connections:read'], expiresAt: new Date(SOON) });
    const stream = await open('/api/v1/events', { 'X-Api-Key': key });
    clock.set(SOON);
    await ended(stream);
    expect(stream.complete).toBe(true);
  });

  it('an event stream and a download end when their person is deleted', async () => {
    const { person, userId } = await newcomer();
    const { key } = await here.app
      .get(ApiKeysService)
      .create(userId, { name: 'key', scopes: ['connections:read'], expiresAt: null });
    const [stream, file] = [await open('/api/v1/events', { 'X-Api-Key': key }), await download(person)];
    await here.app.get(UsersService).delete(userId);
    await Promise.all([ended(stream), brokenOff(file)]);
  });

  it('a download ends when its session signs out, and the half of its file does not look complete', async () => {
    const { person } = await newcomer();
    const file = await download(person);
    await person.submit('/sign-out', {}, '/settings');
    await brokenOff(file);
  });

  it('a download ends when another session changes the password, whose own download goes on', async () => {
    const { person, email } = await newcomer();
    const other = new Visitor(here.url);
    await other.submit('/sign-in', { email, password: 'correct horse' });
    const [file, stays] = [await download(other), await download(person)];
    const passwords = { password: 'correct horse', new_password: 'battery staple' };
    expect((await person.submit('/settings/password', passwords, '/settings')).status).toBe(303);
    await brokenOff(file);
    expect(stays.closed).toBe(false);
  });

  it('a download ends when its session expires', async () => {
    const { person, userId } = await newcomer();
    await here.em().execute('update sessions set expires_at = ? where user_id = ?', [SOON, userId]);
    const file = await download(person);
    clock.set(SOON);
    await brokenOff(file);
  });
});
