import { Account } from '../../src/balances/accounts/account.entity.js';
import { loadVersions } from '../../src/balances/accounts/load-ledger.js';
import type { SnapshotAccount, SnapshotTransaction } from '../../src/providers/bank-provider.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import {
  balance,
  coveredSince,
  createConnection,
  snapshotAccount,
  transaction,
  writeSnapshot,
} from '../support/factories.js';

const [MONDAY, TUESDAY, WEDNESDAY] = ['2026-03-16T12:00:00Z', '2026-03-17T12:00:00Z', '2026-03-18T12:00:00Z'] as const;
const at = (clock: string) => clock.replace('Z', '.000Z');

describe('versions of a posted transaction', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let account: SnapshotAccount;
  let accountId: string;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set(MONDAY);
    connection = await createConnection(tidemark, client.userId);
    account = snapshotAccount({ balance: balance(100_000), covered: coveredSince('2026-02-01') });
  });

  /** @returns what the answer did to the stored transactions */
  async function answer(transactions: SnapshotTransaction[], more: Partial<SnapshotAccount> = {}) {
    const write = await writeSnapshot(tidemark, connection, { ...account, transactions, ...more });
    ({ accountId } = write);
    const { added, updated, removed, problems } = write;
    return { added, updated, removed, problems };
  }

  interface Listed {
    id: string;
    date: string;
    amount_cents: number;
    created_at: string;
  }

  async function list(): Promise<Listed[]> {
    const { body } = await client.get(`/api/v1/transactions?account_id=${accountId}&per_page=100`);
    expect(body.pagination.total_count).toBe(body.transactions.length);
    return body.transactions;
  }

  const show = async (id: string) => (await client.get(`/api/v1/transactions/${id}`)).body;

  /** What the engine is given: day, amount, and since and until when it was listed. */
  async function ledger() {
    const stored = await tidemark.em().findOneOrFail(Account, { userId: client.userId, id: accountId });
    const moment = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
    return (await loadVersions(tidemark.em(), stored))
      .map((entry) => [
        dateOfDayNumber(entry.day),
        entry.amountMinor,
        moment(entry.listedFrom),
        moment(entry.listedUntil),
      ])
      .sort();
  }

  const rent = transaction('2026-03-02', -90_000, { description: 'Rent' });
  const dinner = transaction('2026-03-10', -4_200, { description: 'Dinner' });
  const salary = transaction('2026-03-13', 250_000, { description: 'Salary' });
  const idOf = async (row: SnapshotTransaction) =>
    (await list()).find(({ amount_cents }) => amount_cents === row.amountMinor)!.id;

  it('a transaction has the sign of the holder and that of the bank, where the bank lists money out as positive', async () => {
    const list = [transaction('2026-03-02', 4_000, { description: 'Market' })];
    const days: [row: SnapshotTransaction, balance: number][] = [
      [transaction('2026-03-17', 6_215), 93_785],
      [transaction('2026-03-18', -210_000), 303_785],
      [transaction('2026-03-19', 3_320), 300_465],
      [transaction('2026-03-20', 7_500), 292_965],
    ];
    await answer(list);
    const id = await idOf(list[0]!);
    const { body: before } = await client.get('/api/v1/changes?cursor=latest');
    for (const [row, amount] of days) {
      tidemark.clock.set(`${row.date}T12:00:00Z`);
      list.push(row);
      await answer(list, { balance: balance(amount) });
    }
    const corrected = {
      amount: '-$40.00',
      amount_cents: -4_000,
      reported_amount: '$40.00',
      reported_amount_cents: 4_000,
    };
    expect(await show(id)).toMatchObject({ ...corrected, versions: [corrected] });
    const { body: page } = await client.get(`/api/v1/transactions?account_id=${accountId}`);
    expect(page.transactions.map((row: Listed) => row.amount_cents)).toEqual([-7_500, -3_320, 210_000, -6_215, -4_000]);
    const { body: after } = await client.get(`/api/v1/changes?types=transactions&cursor=${before.cursor}`);
    const changed = after.changes.flatMap(({ records }: { records: Listed[] }) => records);
    expect(changed).toContainEqual(expect.objectContaining({ id, ...corrected }));
    const csv = await client.get(`/api/v1/transactions?account_id=${accountId}`, { Accept: 'text/csv' });
    expect(String(csv.body)).toMatch(/-\$40\.00,-4000,.*,\$40\.00,4000/);
  });

  it('a transaction has one version until the bank changes it', async () => {
    await answer([rent, dinner]);
    const id = await idOf(dinner);
    expect(await show(id)).toMatchObject({
      ...{ id, status: 'posted', withdrawn_at: null, replaced_by: null, amount_cents: -4_200 },
      versions: [{ amount: '-$42.00', listed_from: at(MONDAY), listed_until: null, end_reason: null }],
    });
    tidemark.clock.set(TUESDAY);
    await answer([rent, dinner]);
    expect((await show(id)).versions).toHaveLength(1);
  });

  it('a transaction keeps its version without the tip, and the list shows the newest', async () => {
    await answer([rent, dinner]);
    const id = await idOf(dinner);
    tidemark.clock.set(TUESDAY);
    expect(await answer([rent, { ...dinner, amountMinor: -5_000 }])).toMatchObject({
      added: 0,
      updated: 1,
      removed: 0,
    });
    expect(await list()).toMatchObject([{ id, amount_cents: -5_000 }, { amount_cents: -90_000 }]);
    expect(await show(id)).toMatchObject({
      status: 'posted',
      versions: [
        { amount_cents: -5_000, listed_from: at(TUESDAY), listed_until: null },
        { amount_cents: -4_200, listed_from: at(MONDAY), listed_until: at(TUESDAY), end_reason: 'changed' },
      ],
    });
    expect(await ledger()).toEqual([
      ['2026-03-02', -90_000, at(MONDAY), null],
      ['2026-03-10', -4_200, at(MONDAY), at(TUESDAY)],
      ['2026-03-10', -5_000, at(TUESDAY), null],
    ]);
  });

  it('a transaction keeps one version and counts once while the bank calls it pending again', async () => {
    await answer([rent, dinner]);
    const id = await idOf(dinner);
    for (const day of [TUESDAY, WEDNESDAY]) {
      tidemark.clock.set(day);
      await answer([rent, { ...dinner, pending: true }]);
    }
    expect(await show(id)).toMatchObject({
      status: 'posted',
      versions: [{ listed_from: at(MONDAY), listed_until: null }],
    });
    expect(await ledger()).toEqual([
      ['2026-03-02', -90_000, at(MONDAY), null],
      ['2026-03-10', -4_200, at(MONDAY), null],
    ]);
  });

  it('a transaction keeps one version and counts once if the bank lists it undated under changing ids', async () => {
    const undated = (externalId: string, date: string) => ({ ...dinner, externalId, date, dateIsGuess: true as const });
    await answer([rent, undated('D-1', '2026-03-16')]);
    const id = await idOf(dinner);
    tidemark.clock.set(TUESDAY);
    await answer([rent, undated('D-2', '2026-03-17')]);
    tidemark.clock.set('2026-03-30T12:00:00Z');
    expect(await answer([rent, undated('D-3', '2026-03-30')])).toMatchObject({ added: 0, updated: 0, removed: 0 });
    expect(await show(id)).toMatchObject({ date: '2026-03-16', versions: [{ listed_until: null }] });
    expect(await ledger()).toEqual([
      ['2026-03-02', -90_000, at(MONDAY), null],
      ['2026-03-16', -4_200, at(MONDAY), null],
    ]);
  });

  it.each([
    ['with its id', {}, 'changed'],
    ['under a new id', { externalId: 'new-id' }, 'reissued'],
  ])('a transaction whose date changes %s has both versions and one record', async (_, more, endReason) => {
    await answer([rent, dinner, salary]);
    const before = await list();
    tidemark.clock.set(TUESDAY);
    await answer([rent, { ...dinner, date: '2026-03-12', ...more }, salary]);
    const after = await list();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[1]).toMatchObject({ date: '2026-03-12', created_at: before[1]!.created_at });
    expect((await show(after[1]!.id)).versions).toMatchObject([
      { date: '2026-03-12', listed_until: null },
      { date: '2026-03-10', listed_until: at(TUESDAY), end_reason: endReason },
    ]);
  });

  it('a version ends when a complete answer covers its day and does not list the transaction', async () => {
    await answer([rent, dinner, salary]);
    const id = await idOf(dinner);
    const { headers } = await client.get('/api/v1/transactions');
    tidemark.clock.set(TUESDAY);
    expect(await answer([rent, salary])).toMatchObject({ added: 0, updated: 0, removed: 1, problems: [] });
    expect((await list()).map(({ amount_cents }) => amount_cents)).toEqual([250_000, -90_000]);
    expect(await show(id)).toMatchObject({
      ...{ id, status: 'withdrawn', withdrawn_at: at(TUESDAY), replaced_by: null, amount_cents: -4_200 },
      account: { id: accountId },
      versions: [{ listed_from: at(MONDAY), listed_until: at(TUESDAY), end_reason: 'withdrawn' }],
    });
    const { status } = await client.get('/api/v1/transactions', { 'If-None-Match': headers.get('etag')! });
    expect(status).toBe(200);
    expect(await ledger()).toContainEqual(['2026-03-10', -4_200, at(MONDAY), at(TUESDAY)]);
  });

  it('a transaction that is listed again keeps its id and creation time', async () => {
    await answer([rent, dinner, salary]);
    const before = await list();
    const id = await idOf(dinner);
    tidemark.clock.set(TUESDAY);
    await answer([rent, salary]);
    tidemark.clock.set(WEDNESDAY);
    expect(await answer([rent, dinner, salary])).toMatchObject({ added: 1, updated: 0, removed: 0 });
    expect((await list()).map((row) => [row.id, row.created_at])).toEqual(
      before.map((row) => [row.id, row.created_at]),
    );
    expect(await show(id)).toMatchObject({
      ...{ status: 'posted', withdrawn_at: null },
      versions: [
        { listed_from: at(WEDNESDAY), listed_until: null },
        { listed_from: at(MONDAY), listed_until: at(TUESDAY), end_reason: 'withdrawn' },
      ],
    });
    tidemark.clock.set('2026-03-19T12:00:00Z');
    await answer([rent, salary]);
    tidemark.clock.set('2026-03-20T12:00:00Z');
    await answer([rent, { ...dinner, externalId: 'minted' }, salary]);
    expect(await idOf(dinner)).toBe(id);
  });

  it('a version ends when another amount replaces it under a new id, and names the new transaction', async () => {
    const provisional = transaction('2026-03-10', -4_000, { description: 'Hotel' });
    await answer([rent, provisional, salary]);
    const id = await idOf(provisional);
    tidemark.clock.set(TUESDAY);
    const final = transaction('2026-03-11', -4_350, { description: 'Hotel' });
    expect(await answer([rent, final, salary])).toMatchObject({ added: 1, removed: 1 });
    expect(await show(id)).toMatchObject({ status: 'superseded', replaced_by: await idOf(final) });
    expect(await list()).toHaveLength(3);
  });

  it('versions of two transactions end when the bank merges them into one', async () => {
    const parts = [transaction('2026-03-10', -1_000), transaction('2026-03-10', -2_000)];
    await answer([rent, ...parts, salary]);
    tidemark.clock.set(TUESDAY);
    await answer([rent, transaction('2026-03-10', -3_000, { description: 'Both' }), salary]);
    expect((await list()).map(({ amount_cents }) => amount_cents)).toEqual([250_000, -3_000, -90_000]);
    expect((await ledger()).map(([, amount, , until]) => [amount, until])).toEqual(
      expect.arrayContaining([
        [-1_000, at(TUESDAY)],
        [-2_000, at(TUESDAY)],
        [-3_000, null],
      ]),
    );
  });

  it.each<[string, Partial<SnapshotAccount>]>([
    ['is not whole', { covered: [] }],
    ['has rows that could not be read', { unreadableRows: 1 }],
    ['is empty', { transactions: [] }],
    ['does not cover its day', { covered: coveredSince('2026-03-11') }],
    ['first lists a later day, as of a bank that shows its last weeks only', { transactions: [salary] }],
    ['lists pending transactions only', { transactions: [transaction('2026-03-01', -5, { pending: true })] }],
  ])('a version does not end when an answer %s', async (_, more) => {
    await answer([rent, dinner, salary]);
    tidemark.clock.set(TUESDAY);
    expect(await answer([rent, salary], more)).toMatchObject({ updated: 0, removed: 0, problems: [] });
    expect((await list()).filter(({ amount_cents }) => amount_cents !== -5)).toHaveLength(3);
  });

  it('a version does not end on the first day of a list that begins later than before and may be cut off', async () => {
    const [first, second] = [transaction('2026-03-10', -1), transaction('2026-03-10', -2)];
    await answer([rent, first, second, salary]);
    tidemark.clock.set(TUESDAY);
    expect(await answer([second, salary])).toMatchObject({ removed: 0 });
    expect(await list()).toHaveLength(4);
  });

  it('versions do not end when an answer lacks most transactions that it covers, and the sync warns', async () => {
    const rows = ['03', '04', '05', '06', '09', '10'].map((day) => transaction(`2026-03-${day}`, -Number(day)));
    await answer([rent, ...rows]);
    tidemark.clock.set(TUESDAY);
    const { removed, problems } = await answer([rent, ...rows.slice(0, 2)]);
    expect([removed, (await list()).length]).toEqual([0, 7]);
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountId, accountExternalId: account.externalId }]);
    expect(problems[0]!.message).toContain('lacks at least 4 of 7 transactions');
    expect(await answer([rent, ...rows.slice(0, 3)])).toMatchObject({ removed: 3, problems: [] });
  });

  it('a pending transaction has no versions, nor has a transaction id that the bank re-issues', async () => {
    const pending = transaction('2026-03-14', -700, { pending: true });
    await answer([rent, salary, pending]);
    const id = await idOf(pending);
    expect(await show(id)).toMatchObject({ status: 'pending', versions: [{ listed_until: null }] });
    tidemark.clock.set(TUESDAY);
    await answer([
      { ...rent, externalId: 'minted-1' },
      { ...salary, externalId: 'minted-2' },
      { ...pending, pending: false },
    ]);
    expect(await show(id)).toMatchObject({ status: 'posted', versions: [{ listed_from: at(TUESDAY) }] });
    expect(await ledger()).toHaveLength(3);
  });

  it('versions of a transaction are 404 for another user', async () => {
    await answer([rent]);
    const id = await idOf(rent);
    const other = await createClient(tidemark);
    for (const path of [id, 'no-id', '00000000-0000-4000-8000-000000000000']) {
      expect((await other.get(`/api/v1/transactions/${path}`)).status).toBe(404);
    }
  });
});
