import pg from 'pg';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { UsersService } from '../../src/auth/users.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, TestClient } from '../support/app.js';
import { ACTIVITY } from '../support/database.js';
import { until } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';

/** For a session of the pool: what waits for a lock here waits for longer. */
const ACQUIRE_MS = 15_000;
/** Twice as many as authenticate everybody. */
const KEYS = 8;

describe('isolation between users', () => {
  let tidemark: TestApp;

  beforeAll(async () => {
    tidemark = await startTestApp({ SIGN_UP: 'open', DATABASE_CONNECT_TIMEOUT_MS: String(ACQUIRE_MS) });
  });
  afterAll(() => tidemark.stop());

  /** Locks in a session of its own, until the test calls what is returned. */
  async function hold(statement: string): Promise<() => Promise<void>> {
    const session = new pg.Client(tidemark.database.url);
    await session.connect();
    let isHeld = true;
    const letGo = async () => {
      if (isHeld) await session.end();
      isHeld = false;
    };
    afterThisTest(letGo);
    await session.query(`begin; ${statement}`);
    return letGo;
  }

  async function waitingForLock(): Promise<number> {
    const text = `select count(*)::int as n from ${ACTIVITY}
      where datname = current_database() and wait_event_type = 'Lock'`;
    const [row] = await onServerSide<{ n: number }>(text);
    return row!.n;
  }

  /** In no session of the pool. */
  async function onServerSide<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const session = new pg.Client(tidemark.database.url);
    await session.connect();
    try {
      return (await session.query<Row>(text)).rows;
    } finally {
      await session.end();
    }
  }

  it('deleting one user does not delay others, and after a failed deletion the user can sign in and retry', async () => {
    const [person, neighbour] = [await createClient(tidemark), await createClient(tidemark)];
    const keys = [person];
    while (keys.length < KEYS) {
      const wanted = { name: 'another', scopes: [], expiresAt: null };
      const { key } = await tidemark.app.get(ApiKeysService).create(person.userId, wanted);
      keys.push(new TestClient(tidemark.url, person.userId, key));
    }
    // A deletion reaches it after the keys.
    const letGo = await hold('lock table second_factors in share mode');
    const deletion = tidemark.app.get(UsersService).delete(person.userId);
    const failed = expect(deletion).rejects.toThrow('canceling statement due to user request');
    await until(async () => (await waitingForLock()) > 0 || null, 'in the middle of the deletion');
    const asked = Promise.all(keys.map((key) => key.get('/api/v1/me')));
    expect((await neighbour.get('/api/v1/me')).status).toBe(200);
    expect((await asked).map(({ status }) => status)).toEqual(Array<number>(KEYS).fill(401));
    await onServerSide(`select pg_cancel_backend(pid) from ${ACTIVITY}
      where datname = current_database() and wait_event_type = 'Lock'`);
    await failed;
    await letGo();
    const [user] = await onServerSide<{ email: string }>(`select email from users where id = '${person.userId}'`);
    const returned = new Visitor(tidemark.url);
    expect((await returned.post('/sign-in', { email: user!.email, password: 'correct horse' })).status).toBe(303);
    await returned.submit('/settings/delete', { delete_password: 'correct horse' }, '/settings');
    expect(await onServerSide(`select 1 from users where id = '${person.userId}'`)).toEqual([]);
  });
});
