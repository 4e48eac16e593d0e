import pg from 'pg';
import { readLogState } from '../../src/sync/change-feed/change-log.js';
import { feedCursorText } from '../../src/sync/change-feed/cursor.js';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import { pruneChangeLog } from '../../src/database/change-log/prune-change-log.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { EditAccountService } from '../../src/balances/edit-account/edit-account.service.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { guardChanges } from '../support/change-guard.js';
import { Copy, KINDS, listed } from '../support/copy.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { noteEverything } from '../support/noted.js';

const HOLDING = {
  ...{ externalId: 'H', symbol: 'VT', name: 'World', quantity: '3', price: '100', valueMinor: 30_000, currency: 'USD' },
  ...{ costBasisMinor: null, cashEquivalent: false },
};

describe('GET /api/v1/changes', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;

  beforeAll(async () => {
    tidemark = await startTestApp();
    await guardChanges(tidemark);
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
  });

  const account = (more = {}) =>
    snapshotAccount({
      balance: balance(10_000),
      transactions: [transaction('2026-03-10', -500), transaction('2026-03-14', -700, { pending: true })],
      ...more,
    });
  const changes = async (query: string) => {
    const { status, body } = await client.get(`/api/v1/changes${query}`);
    return { status, ...body };
  };
  const latest = async () => (await changes('?cursor=latest')).cursor as string;

  async function isTheLists(copy: Copy): Promise<void> {
    for (const kind of KINDS) expect([kind, copy.sorted(kind)]).toEqual([kind, await listed(client, kind)]);
  }

  it.each([1, 2, 3, 500])('the change feed in pages of %i has the same records as the lists', async (limit) => {
    const busy = Array.from({ length: 4 }, (_, i) => transaction('2026-03-11', -100 - i));
    await writeSnapshot(tidemark, connection, account({ transactions: busy }));
    await writeSnapshot(
      tidemark,
      connection,
      account({ holdings: { status: 'available', items: [HOLDING], total: null } }),
    );
    const copy = new Copy(client);
    await copy.catchUp(() => limit);
    await isTheLists(copy);
    expect(copy.records.transactions).toHaveLength(6);
    // Nothing has changed, and nothing comes.
    expect(await changes(`?cursor=${copy.cursor}`)).toMatchObject({
      changes: [],
      cursor: copy.cursor,
      has_more: false,
    });
  });

  it('the change feed has only the balances and transactions that changed', async () => {
    const snapshot = account({ transactions: [transaction('2026-03-01', -100), transaction('2026-03-10', -500)] });
    const { accountId } = await writeSnapshot(tidemark, connection, snapshot);
    const cursor = await latest();
    tidemark.clock.set('2026-03-15T13:00:00Z');
    const late = transaction('2026-03-12', -300);
    await writeSnapshot(tidemark, connection, {
      ...snapshot,
      transactions: [...snapshot.transactions, late],
      balance: balance(9_700),
    });
    const { changes: parts } = await changes(`?cursor=${cursor}&types=balances,transactions`);
    expect(parts).toEqual([
      expect.objectContaining({ type: 'balances', account_id: accountId, from: '2026-03-12', to: '2026-03-15' }),
      expect.objectContaining({ type: 'transactions', ids: [expect.any(String)] }),
    ]);
    expect(parts[0].records).toHaveLength(4);
    expect(parts[1].records).toEqual([expect.objectContaining({ date: '2026-03-12', amount_cents: -300 })]);
  });

  it('the change feed lists a deleted record as deleted', async () => {
    const snapshot = account();
    const { accountId } = await writeSnapshot(tidemark, connection, snapshot);
    const copy = new Copy(client);
    await copy.catchUp();
    await client.delete(`/api/v1/connections/${connection.id}?purge=true`);
    const { changes: parts } = await changes(`?cursor=${copy.cursor}&types=accounts,balances,holdings`);
    expect(parts).toEqual([
      { type: 'accounts', ids: [accountId], records: [] },
      { type: 'holdings', account_id: accountId, records: [] },
      { type: 'balances', account_id: accountId, from: null, to: null, records: [] },
    ]);
    await copy.catchUp();
    await isTheLists(copy);
  });

  it('the change feed repeats a change made between two requests and allows an empty page in between', async () => {
    for (let i = 0; i < 3; i++) await writeSnapshot(tidemark, connection, account({ externalId: `F${i}` }));
    const copy = new Copy(client);
    for (let step = 0; await copy.step(2); step++) {
      if (step % 3 === 0) {
        const id = copy.records.accounts[0]!.id!;
        await tidemark.app.get(EditAccountService).edit({ ...client, timeZone: 'UTC' }, id, { name: `N${step}` });
      }
      if (step > 30) break;
    }
    await copy.catchUp();
    await isTheLists(copy);
  });

  it('the change feed continues after a page that starts at the first day of the calendar', async () => {
    await writeSnapshot(tidemark, connection, account());
    const { accounts } = (await client.get('/api/v1/accounts')).body;
    const cursor = await latest();
    await tidemark.em().transactional(() => {
      const [{ id: accountId }] = accounts;
      const days = { from: '0001-01-01', to: '0001-01-02' };
      noteChanges(client.userId, { kind: 'accounts', ids: [accountId] }, { kind: 'balances', accountId, ...days });
      return Promise.resolve();
    });
    const first = await changes(`?cursor=${cursor}&limit=1`);
    expect(first).toMatchObject({ changes: [{ type: 'accounts' }], has_more: true });
    const second = await changes(`?cursor=${first.cursor}`);
    expect(second).toMatchObject({ changes: [{ type: 'balances', from: '0001-01-01' }], has_more: false });
  });

  it('a sync without changes uses no number of the change log', async () => {
    const snapshot = account();
    await writeSnapshot(tidemark, connection, snapshot);
    const cursor = await latest();
    await writeSnapshot(tidemark, connection, snapshot);
    expect(await latest()).toBe(cursor);
  });

  it('change numbers follow the order of commits, and a killed session leaves no gap', async () => {
    const note = (em: ReturnType<TestApp['em']>, work: () => Promise<void>) =>
      em.transactional(async () => {
        noteChanges(client.userId, { kind: 'connections' });
        await work();
      });
    const revision = async () => (await readLogState(tidemark.em(), client.userId)).head;
    const before = await revision();
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = note(tidemark.em(), () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    await note(tidemark.em(), () => Promise.resolve());
    expect(await revision()).toBe(before + 1);
    end.resolve();
    await slow;
    expect(await revision()).toBe(before + 2);
    await expect(
      tidemark.em().transactional(async (em) => {
        noteChanges(client.userId, { kind: 'connections' });
        await em.execute('select pg_terminate_backend(pg_backend_pid())');
      }),
    ).rejects.toThrow();
    await note(tidemark.em(), () => Promise.resolve());
    expect(await revision()).toBe(before + 3);
  });

  it('the change feed has only the record types that the scopes of the API key allow', async () => {
    await writeSnapshot(tidemark, connection, account());
    const { app } = tidemark;
    const narrow = await createClient(tidemark, { scopes: ['balances:read'] });
    expect((await narrow.get('/api/v1/changes?types=accounts')).body.message).toMatch(/accounts:read/);
    expect((await narrow.get('/api/v1/changes')).status).toBe(200);
    const types = (await changes('?types=balances')).changes.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['balances']);
    expect(app).toBeDefined();
  });

  it('the change feed checks the scope before anything else of a request', async () => {
    const narrow = await createClient(tidemark, { scopes: ['balances:read', 'webhooks:read'] });
    const none = await createClient(tidemark, { scopes: ['webhooks:read'] });
    for (const query of ['', '?limit=x', '?types=nonsense', '?types=balances&types=balances', '?nonsense=1'])
      expect([query, (await none.get(`/api/v1/changes${query}`)).status]).toEqual([query, 403]);
    for (const query of ['types=accounts&limit=x', 'types=balances,accounts,nonsense', 'types=accounts&cursor=x'])
      expect([query, (await narrow.get(`/api/v1/changes?${query}`)).status]).toEqual([query, 403]);
    expect((await narrow.get('/api/v1/changes?types=balances&limit=x')).status).toBe(422);
  });

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 1000'],
    ['limit=x', 'limit must be a whole number from 1 to 1000'],
    ['types=balances,money', 'types must be a list of'],
    ['cursor=nonsense', 'cursor must be one that this route returned'],
    [`cursor=${'x'.repeat(501)}`, 'cursor must be one that this route returned'],
  ])('the change feed refuses %s', async (query, message) => {
    expect(await changes(`?${query}`)).toMatchObject({ status: 422, message: expect.stringContaining(message) });
  });

  it('the change feed answers 410 to a cursor of another user, of another database or that is too old', async () => {
    await writeSnapshot(tidemark, connection, account());
    const { seal, head } = await readLogState(tidemark.em(), client.userId);
    const at = (done: number, itsSeal = seal) => changes(`?cursor=${feedCursorText(itsSeal, { done, page: null })}`);
    const gone = { status: 410, error: 'cursor_expired' };
    expect(await at(head)).toMatchObject({ status: 200 });
    expect(await at(head + 1)).toMatchObject(gone);
    const stranger = await createClient(tidemark);
    expect(await at(0, (await readLogState(tidemark.em(), stranger.userId)).seal)).toMatchObject(gone);
    const session = new pg.Client(tidemark.database.url);
    await session.connect();
    await session.query('update user_revisions set floor = 1 where user_id = $1', [client.userId]);
    await session.end();
    expect(await at(0)).toMatchObject(gone);
    expect(await at(1)).toMatchObject({ status: 200 });
  });

  it('the change log is pruned by age, and an older cursor gets 410', async () => {
    const { accountId } = await writeSnapshot(tidemark, connection, account());
    const rename = (name: string) =>
      tidemark.app.get(EditAccountService).edit({ ...client, timeZone: 'UTC' }, accountId, { name });
    await rename('Old');
    const copy = new Copy(client);
    await copy.catchUp();
    const before = await latest();
    await rename('Older');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    await tidemark
      .em()
      .execute('update revisions set committed_at = ? where user_id = ?', [daysAgo(100), client.userId]);
    await rename('New');
    const aWhileAgo = daysAgo(90);
    expect(await pruneChangeLog(tidemark.em(), client.userId, aWhileAgo)).toBe(4);
    expect(await pruneChangeLog(tidemark.em(), client.userId, aWhileAgo)).toBe(0);
    expect(await changes(`?cursor=${before}`)).toMatchObject({ status: 410, error: 'cursor_expired' });
    const fresh = new Copy(client);
    await fresh.catchUp();
    await isTheLists(fresh);
  });

  it.each([1, 2, 500])('the change feed in pages of %i ends with the last existing day', async (limit) => {
    const late = Array.from({ length: 3 }, (_, i) => transaction('9999-12-31', -100 - i));
    const { accountId } = await writeSnapshot(tidemark, connection, account({ transactions: late }));
    const copy = new Copy(client);
    await copy.catchUp(() => limit);
    await isTheLists(copy);
    expect(copy.records.transactions).toHaveLength(3);
    const { head: upto, seal } = await readLogState(tidemark.em(), client.userId);
    const page = { upto, kind: 'balances' as const, accountId, after: '9999-12-31' };
    expect((await changes(`?cursor=${feedCursorText(seal, { done: null, page })}`)).status).toBe(200);
  });

  it('the change feed lists all records of a type that was marked as changed as a whole', async () => {
    await writeSnapshot(tidemark, connection, account());
    const copy = new Copy(client);
    await copy.catchUp();
    await noteEverything(tidemark, client.userId);
    await copy.catchUp(() => 3);
    await isTheLists(copy);
  });
});
