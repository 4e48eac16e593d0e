import { jest } from '@jest/globals';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { UsersRepository } from '../../src/auth/users.repository.js';
import { UsersService } from '../../src/auth/users.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { until } from '../support/syncs.js';

describe('API keys and their errors', () => {
  const LISTENERS = `select pid from pg_stat_activity where datname = current_database() and query ~* '^listen "'`;
  let one: TestApp;
  /** Another instance on the same database. */
  let other: TestApp;

  beforeAll(async () => {
    one = await startTestApp();
    other = await startTestApp({}, one.clock, one.database);
    const listening = async () => (await one.em().getConnection().execute(LISTENERS)).length;
    await until(async () => (await listening()) >= 2 || null, 'listening, both of them');
  });
  beforeEach(() => one.clock.set('2026-03-15T12:00:00Z'));
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  describe('API keys', () => {
    let client: TestClient;

    beforeAll(async () => {
      client = await createClient(one);
    });

    const withKey = (key: string) => send(`${one.url}/api/v1/balances`, { headers: { 'X-Api-Key': key } });
    const newKey = (expiresAt: Date | null = null) =>
      one.app.get(ApiKeysService).create(client.userId, {
        name: 'k',
        scopes: ['balances:read'],
        expiresAt,
      });

    it('an API key lets a request in', async () => {
      expect((await client.get('/api/v1/balances')).status).toBe(200);
    });

    it('API keys are refused alike when missing, malformed, unknown, revoked or expired', async () => {
      const revoked = await newKey();
      await one.app.get(ApiKeysService).revoke(revoked.apiKey.id);
      const expired = await newKey(new Date(one.clock.now().getTime() - 1));
      const unknown = (await newKey()).key;
      await one
        .em()
        .getConnection()
        .execute('delete from api_keys where user_id = ? and name = ? and revoked_at is null and expires_at is null', [
          client.userId,
          'k',
        ]);

      const none = await send(`${one.url}/api/v1/balances`);
      expect(none.status).toBe(401);
      expect(none.headers.get('www-authenticate')).toMatch(/X-Api-Key/);
      expect(none.body).toEqual({ error: 'unauthorized', message: expect.any(String) });
      for (const key of ['nonsense', unknown, revoked.key, expired.key]) {
        const answer = await withKey(key);
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual(none.body);
      }
    });

    it('an API key without the scope gets 403 with its name, before the parameters are checked', async () => {
      const narrow = await createClient(one, { scopes: ['accounts:read'] });
      const answer = await narrow.get('/api/v1/balances?start_date=nonsense');
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ error: 'insufficient_scope', message: expect.stringContaining('balances:read') });
    });

    it('API keys are stored as a hash only', async () => {
      const { key } = await newKey();
      const rows = await one.em().getConnection().execute('select * from api_keys');
      expect(JSON.stringify(rows)).not.toContain(key);
    });

    it('an API key keeps last_used_at to the minute', async () => {
      const { key, apiKey } = await newKey();
      const lastUsed = async () =>
        (await one.em().getConnection().execute('select last_used_at from api_keys where id = ?', [apiKey.id]))[0]
          ?.last_used_at;
      await withKey(key);
      const first = await lastUsed();
      one.clock.set('2026-03-15T12:00:59Z');
      await withKey(key);
      expect(await lastUsed()).toEqual(first);
      one.clock.set('2026-03-15T12:01:01Z');
      await withKey(key);
      expect(await lastUsed()).not.toEqual(first);
    });
  });

  describe('a changed time zone', () => {
    it('a changed time zone counts from then on', async () => {
      const client = await createClient(one);
      const timeZone = async () => (await client.get('/api/v1/me')).body.user.time_zone;
      expect(await timeZone()).toBe('UTC');
      await one.em().execute(`update users set time_zone = 'Asia/Tokyo' where id = ?`, [client.userId]);
      // PostgreSQL notifies the instance a moment later.
      await until(async () => (await timeZone()) === 'Asia/Tokyo' || null, 'in Tokyo');
    });
  });

  describe('a revoked API key', () => {
    const revokeAndAsk = async (between: () => Promise<unknown>) => {
      const client = await createClient(one);
      const ask = async ({ url }: TestApp) =>
        (await send(`${url}/api/v1/balances`, { headers: { 'X-Api-Key': client.key } })).status;
      for (const app of [one, other, one, other]) expect(await ask(app)).toBe(200);
      await between();
      const connection = one.em().getConnection();
      await connection.execute('update api_keys set revoked_at = now() where user_id = ?', [client.userId]);
      // PostgreSQL notifies every instance a moment later.
      const refused = (app: TestApp) =>
        until(async () => {
          const status = await ask(app);
          return status === 200 ? null : status;
        }, 'refused');
      return [await refused(one), await refused(other)];
    };

    it('a revoked API key is refused by every instance, though all of them knew it', async () => {
      expect(await revokeAndAsk(() => Promise.resolve())).toEqual([401, 401]);
    });

    it('a revoked API key is refused though the session that hears of it was lost', async () => {
      const kill = `select pg_terminate_backend(pid) from (${LISTENERS}) listeners`;
      expect(await revokeAndAsk(() => one.em().getConnection().execute(kill))).toEqual([401, 401]);
    });
  });

  describe('POST /api/v1/me/rotate_key', () => {
    const ROTATE = '/api/v1/me/rotate_key';
    const statuses = (key: string) =>
      Promise.all([one, other].map(({ url }) => send(`${url}/api/v1/me`, { headers: { 'X-Api-Key': key } }))).then(
        (answers) => answers.map(({ status }) => status),
      );
    const rotate = (key: string, body: object, headers: Record<string, string> = {}) =>
      send(one.url + ROTATE, {
        method: 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });

    it('a rotated API key has a new secret at once, and the old one for the overlap, on every instance', async () => {
      const client = await createClient(one);
      const before = (await client.get('/api/v1/me')).body.key;
      const { status, body } = await client.post(ROTATE, { overlap_hours: 24 });
      expect(status).toBe(201);
      expect(body.key).toEqual({
        ...before,
        hint: `${body.secret.slice(0, 6)}…${body.secret.slice(-4)}`,
        rotated_at: '2026-03-15T12:00:00.000Z',
        previous_valid_until: '2026-03-16T12:00:00.000Z',
      });
      expect([await statuses(client.key), await statuses(body.secret)]).toEqual([
        [200, 200],
        [200, 200],
      ]);
      one.clock.set('2026-03-16T11:59:59Z');
      expect(await statuses(client.key)).toEqual([200, 200]);
      // Both instances know it, and it ends all the same.
      one.clock.set('2026-03-16T12:00:00Z');
      expect([await statuses(client.key), await statuses(body.secret)]).toEqual([
        [401, 401],
        [200, 200],
      ]);
    });

    it('an API key is rotated with its newest secret only, and has two at most', async () => {
      const client = await createClient(one);
      const { body: first } = await client.post(ROTATE, { overlap_hours: 24 });
      expect((await client.post(ROTATE, { overlap_hours: 24 })).status).toBe(409);
      const { body: second } = await rotate(first.secret, { overlap_hours: 1 });
      await until(async () => (await statuses(client.key)).every((status) => status === 401) || null, 'refused');
      expect([await statuses(first.secret), await statuses(second.secret)]).toEqual([
        [200, 200],
        [200, 200],
      ]);
      await one.app.get(ApiKeysService).revoke(second.key.id);
      await until(async () => (await statuses(first.secret)).every((status) => status === 401) || null, 'refused');
    });

    it('an API key is rotated once by requests that come at the same time', async () => {
      const client = await createClient(one);
      const answers = await Promise.all([1, 2, 3, 4].map(() => client.post(ROTATE, { overlap_hours: 1 })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    });

    it('a rotation returns the new secret again under the same Idempotency-Key, to no other key', async () => {
      const client = await createClient(one);
      const wanted = { name: 'another', scopes: [], expiresAt: null };
      const another = await one.app.get(ApiKeysService).create(client.userId, wanted);
      const retry = { 'Idempotency-Key': 'lost' };
      const { body } = await rotate(client.key, { overlap_hours: 24 }, retry);
      expect((await rotate(client.key, { overlap_hours: 24 }, retry)).body).toEqual(body);
      expect((await rotate(another.key, { overlap_hours: 24 }, retry)).status).toBe(422);
    });

    it('an API key is refused whose person is deleted while it is checked', async () => {
      const client = await createClient(one);
      const users = one.app.get(UsersRepository, { strict: false });
      const find = users.findById.bind(users);
      const finding = jest.spyOn(users, 'findById').mockImplementation(async (id) => {
        await one.app.get(UsersService).delete(id);
        return find(id);
      });
      afterThisTest(() => finding.mockRestore());
      expect((await client.get('/api/v1/me')).status).toBe(401);
    });

    it('a rotation wants the overlap in hours, a week at most', async () => {
      const client = await createClient(one);
      for (const body of [{}, { overlap_hours: 0 }, { overlap_hours: 169 }, { overlap_hours: 1.5 }]) {
        const { status, body: answer } = await client.post(ROTATE, body);
        expect([status, answer.errors]).toEqual([422, ['overlap_hours must be a whole number from 1 to 168']]);
      }
    });
  });

  describe('errors', () => {
    let client: TestClient;

    beforeAll(async () => {
      client = await createClient(one);
    });

    it('an unknown route is answered with an error of the common form', async () => {
      const answer = await client.get('/api/v1/nothing');
      expect(answer.status).toBe(404);
      expect(answer.body.error).toBe('record_not_found');
    });

    it('an error response has the request id of the client, or a new one', async () => {
      const own = await client.get('/api/v1/nothing', { 'X-Request-Id': 'my-id-1' });
      expect(own.headers.get('x-request-id')).toBe('my-id-1');
      const insane = await client.get('/api/v1/nothing', { 'X-Request-Id': 'a b"c' });
      expect(insane.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});
