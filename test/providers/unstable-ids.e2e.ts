import type { SnapshotTransaction } from '../../src/providers/bank-provider.js';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import {
  balance,
  coveredSince,
  createConnection,
  snapshotAccount,
  transaction,
  writeSnapshot,
} from '../support/factories.js';

let minted = 0;

/** The same rows as an unstable bank lists them the next time. */
function reminted(transactions: readonly SnapshotTransaction[]): SnapshotTransaction[] {
  return transactions.map((row) => ({ ...row, externalId: `minted-${++minted}` })).toReversed();
}

describe('transaction ids that change in every answer', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());

  async function bank() {
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({ balance: balance(100_000), covered: coveredSince('2026-02-01') });
    return async (...transactions: SnapshotTransaction[]) => {
      const { accountId, ...counts } = await writeSnapshot(tidemark, connection, { ...account, transactions });
      const { body } = await client.get(`/api/v1/transactions?account_id=${accountId}&per_page=100`);
      const rows: { id: string; description: string }[] = body.transactions;
      return { counts, ids: rows.map(({ id }) => id).sort() };
    };
  }

  const rows = [
    transaction('2026-03-10', -230, { merchant: 'Metro' }),
    transaction('2026-03-10', -230, { merchant: 'Metro' }),
    transaction('2026-03-10', -230, { merchant: null, description: 'Cash' }),
    transaction('2026-03-11', -9_900),
    transaction('2026-03-14', -400, { pending: true }),
  ];

  it('every transaction with changing ids is stored once in the same row, equal purchases included', async () => {
    const answers = await bank();
    const before = await answers(...rows);
    for (const answer of [reminted(rows), reminted(rows)]) {
      const { counts, ids } = await answers(...answer);
      expect(ids).toEqual(before.ids);
      expect(counts).toMatchObject({ added: 0, updated: 0, removed: 0, balancesWritten: 0 });
    }
  });

  it('every transaction with changing ids is stored once when its time falls on another day than before', async () => {
    const answers = await bank();
    const stored = ['2026-02-02', '2026-03-10'].map((date) => transaction(date, -230));
    const before = await answers(...stored);
    const read = stored.map((row) => ({ ...row, date: addDays(row.date, -1), otherDate: row.date }));
    const { counts, ids } = await answers(...reminted(read));
    expect(ids).toEqual(before.ids);
    expect(counts).toMatchObject({ added: 0, updated: 2, removed: 0 });
  });

  it('a new purchase is stored although all ids change, also one equal to an older purchase', async () => {
    const answers = await bank();
    await answers(...rows);
    const { counts, ids } = await answers(
      ...reminted([...rows, transaction('2026-03-10', -230, { merchant: 'Metro' })]),
    );
    expect(ids).toHaveLength(6);
    expect(counts.added).toBe(1);
  });

  it('a transaction is not matched under a changed id if anything else changed, too', async () => {
    const answers = await bank();
    const [row] = rows;
    await answers(row!);
    for (const other of [{ date: '2026-03-11' }, { amountMinor: -231 }, { currency: 'CAD' }, { merchant: 'Bakery' }]) {
      const { counts } = await answers({ ...row!, externalId: `minted-${++minted}`, ...other });
      expect(counts.added).toBe(1);
    }
  });

  it('a pending transaction is matched to its posted one although its id changed in between', async () => {
    const answers = await bank();
    const hold = transaction('2026-03-14', -4_200, { pending: true });
    const before = await answers(hold);
    await answers(...reminted([hold]));
    expect((await answers(transaction('2026-03-15', -4_200))).ids).toEqual(before.ids);
  });
});

describe('transaction ids that are positions in the answer', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());

  it('every transaction identified by its position is stored once in the same row while the listed days advance', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const days = Array.from({ length: 40 }, (_, index) => addDays('2026-02-01', index));
    const rows = days.map((date, index) => transaction(date, -1_000 - index * 37, { merchant: `Shop ${index % 9}` }));
    const sync = async (from: number, until: number) => {
      tidemark.clock.set(`${days[until]!}T12:00:00Z`);
      const transactions = rows
        .slice(from, until + 1)
        .map((row, place): SnapshotTransaction => ({ ...row, externalId: String(place + 1) }));
      const spent = rows.slice(0, until + 1).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const more = { balance: balance(100_000 + spent), covered: coveredSince(days[from]!), transactions };
      const { accountId, added, updated, removed } = await writeSnapshot(tidemark, connection, {
        ...account,
        ...more,
      });
      const { body } = await client.get(`/api/v1/transactions?account_id=${accountId}&per_page=100`);
      const listed: { id: string; date: string }[] = body.transactions;
      return { counts: { added, updated, removed }, listed: listed.toReversed() };
    };
    const account = snapshotAccount();
    let { listed: before } = await sync(0, 30);
    for (const [from, until] of [
      [5, 31],
      [6, 32],
      [0, 33],
      [8, 36],
    ] as const) {
      const { counts, listed } = await sync(from, until);
      expect(counts).toEqual({ added: until + 1 - before.length, updated: 0, removed: 0 });
      expect(listed.slice(0, before.length)).toEqual(before);
      expect(listed.map(({ date }) => date)).toEqual(days.slice(0, until + 1));
      before = listed;
    }
  });

  it.each([
    ['beside the others', false],
    ['alone', true],
  ])('a new pending transaction listed %s at the position of an older one is stored', async (_, isAlone) => {
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({ balance: balance(100_000), covered: coveredSince('2026-02-01') });
    const answer = async (...rows: SnapshotTransaction[]) => {
      const transactions = rows.map((row, place): SnapshotTransaction => ({ ...row, externalId: String(place + 1) }));
      const { accountId } = await writeSnapshot(tidemark, connection, { ...account, transactions });
      const { body } = await client.get(`/api/v1/transactions?account_id=${accountId}&per_page=100`);
      return body.transactions.map(({ amount_cents, pending }: Record<string, unknown>) => [amount_cents, pending]);
    };
    tidemark.clock.set('2026-03-14T12:00:00Z');
    const older = [5, 4, 3, 2].map((day) => transaction(`2026-03-0${day}`, -day));
    const [coffee, lunch, cinema] = [
      transaction('2026-03-12', -400, { pending: true }),
      transaction('2026-03-13', -1_500, { pending: true }),
      transaction('2026-03-14', -1_200, { pending: true }),
    ];
    const posted = { ...coffee, pending: false };
    await answer(coffee, ...older);
    const known = [[-400, false], ...older.map(({ amountMinor }) => [amountMinor, false])];
    expect(await answer(lunch, posted, ...older)).toEqual([[-1_500, true], ...known]);
    const others = isAlone ? [] : [lunch, posted, ...older];
    expect(await answer(cinema, ...others)).toEqual([[-1_200, true], [-1_500, true], ...known]);
  });
});
