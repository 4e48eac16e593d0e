import type { SnapshotAccount, SnapshotTransaction } from '../../src/providers/bank-provider.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import {
  balance,
  coveredSince,
  createConnection,
  snapshotAccount,
  transaction,
  writeSnapshot,
} from '../support/factories.js';

describe('pending transactions across syncs', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());
  beforeEach(() => tidemark.clock.set('2026-03-15T12:00:00Z'));

  const hold = (more: Partial<SnapshotTransaction> = {}) =>
    transaction('2026-03-14', -4_200, { pending: true, ...more });

  /** An account whose answers are played one after the other; each returns what is stored then. */
  async function bank() {
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({ balance: balance(100_000), covered: coveredSince('2026-02-01') });
    const answer = async (more: Partial<SnapshotAccount>) => {
      const { accountId } = await writeSnapshot(tidemark, connection, { ...account, ...more });
      const { body } = await client.get(`/api/v1/transactions?account_id=${accountId}`);
      return body.transactions as { id: string; pending: boolean; amount_cents: number; date: string }[];
    };
    return {
      connection,
      answers: (...transactions: SnapshotTransaction[]) => answer({ transactions }),
      answer,
    };
  }

  it('a pending transaction is marked as pending and not counted in the balance history', async () => {
    const { answers } = await bank();
    expect(await answers(hold())).toMatchObject([{ pending: true, amount_cents: -4_200 }]);
    const { body } = await client.get('/api/v1/transactions?pending=true');
    expect(body.pagination.total_count).toBeGreaterThan(0);
    const { body: days } = await client.get('/api/v1/balances?start_date=2026-03-15');
    for (const day of days.balances) expect(day.cash_outflows_cents).toBe(0);
  });

  it('a pending transaction posted under the same id keeps its row', async () => {
    const { answers } = await bank();
    const pending = hold();
    const [before] = await answers(pending);
    expect(await answers({ ...pending, date: '2026-03-15', pending: false })).toEqual([
      expect.objectContaining({ id: before!.id, pending: false, date: '2026-03-15' }),
    ]);
  });

  it('a pending transaction posted under another id keeps its row and is never added again', async () => {
    const { answers } = await bank();
    const pending = hold();
    const [before] = await answers(pending);
    const booked = transaction('2026-03-15', -4_200);
    const asBooked = [expect.objectContaining({ id: before!.id, pending: false })];
    expect(await answers(booked)).toEqual(asBooked);
    expect(await answers(booked, pending)).toEqual(asBooked);
  });

  it('a pending transaction is not stored beside its posted one when the first answer lists both', async () => {
    const { answers } = await bank();
    const booked = transaction('2026-03-15', -4_200);
    const pending = hold();
    expect(await answers(pending, booked)).toMatchObject([{ pending: false }]);
    expect(await answers(pending, booked)).toMatchObject([{ pending: false }]);
  });

  it('a pending transaction first listed after its posted one is not stored', async () => {
    const { answers } = await bank();
    const booked = transaction('2026-03-15', -4_200, { merchant: 'Metro' });
    const pending = hold({ merchant: 'Metro' });
    await answers(booked);
    expect(await answers(booked, pending)).toMatchObject([{ pending: false }]);
    expect(await answers(booked, pending)).toMatchObject([{ pending: false }]);
    expect(await answers(booked, hold({ merchant: 'Bakery' }))).toHaveLength(2);
  });

  it('a pending transaction keeps its row when its merchant posts a higher amount, as with a tip', async () => {
    const { answers } = await bank();
    const pending = hold();
    const [before] = await answers(pending);
    const tipped = transaction('2026-03-15', -5_040);
    const asBooked = [expect.objectContaining({ id: before!.id, pending: false, amount_cents: -5_040 })];
    expect(await answers(tipped)).toEqual(asBooked);
    expect(await answers(tipped, pending)).toEqual(asBooked);
  });

  it('a pending transaction stays beside a posted one of another merchant until it was missing for long enough', async () => {
    const { answers } = await bank();
    await answers(hold());
    const other = transaction('2026-03-15', -5_040, { description: 'Bakery' });
    expect(await answers(other)).toHaveLength(2);
    tidemark.clock.set('2026-03-17T12:00:00Z');
    expect(await answers(other)).toHaveLength(2);
    tidemark.clock.set('2026-03-18T12:00:00Z');
    expect(await answers(other)).toMatchObject([{ pending: false, amount_cents: -5_040 }]);
  });

  it('a pending transaction does not expire when it is listed again in between', async () => {
    const { answers } = await bank();
    const pending = hold();
    await answers(pending);
    await answers();
    tidemark.clock.set('2026-03-17T12:00:00Z');
    await answers(pending);
    tidemark.clock.set('2026-03-19T12:00:00Z');
    expect(await answers()).toMatchObject([{ pending: true }]);
  });

  it('a pending transaction does not expire when an incomplete answer lists it in between', async () => {
    const { answers, answer } = await bank();
    const pending = hold();
    await answers(pending);
    await answers();
    tidemark.clock.set('2026-03-17T12:00:00Z');
    await answer({ transactions: [pending], covered: [] });
    tidemark.clock.set('2026-03-19T12:00:00Z');
    expect(await answers()).toMatchObject([{ pending: true }]);
  });

  it('a pending transaction does not expire because of answers with unreadable rows, one of which may be it', async () => {
    const { answers, answer } = await bank();
    await answers(hold());
    await answer({ unreadableRows: 1 });
    tidemark.clock.set('2026-03-19T12:00:00Z');
    expect(await answer({ unreadableRows: 1 })).toMatchObject([{ pending: true }]);
    await answers();
    tidemark.clock.set('2026-03-22T12:00:00Z');
    expect(await answers()).toEqual([]);
  });

  it('a pending transaction that no answer covers expires once it is older than any bank keeps one', async () => {
    const { answers } = await bank();
    const rows = ['2026-01-14', '2026-01-12'].map((date) => hold({ date }));
    await answers(...rows);
    await answers();
    tidemark.clock.set('2026-03-18T12:00:00Z');
    expect(await answers()).toMatchObject([{ date: '2026-01-14' }]);
  });

  it('a posted transaction stays posted when the bank calls it pending again, under either id', async () => {
    const { answers } = await bank();
    const pending = hold();
    const booked = transaction('2026-03-15', -4_200);
    await answers(pending);
    const posted = await answers(booked);
    expect(posted).toMatchObject([{ pending: false }]);
    for (const again of [booked, { ...booked, amountMinor: -4_300 }, pending])
      expect(await answers({ ...again, pending: true })).toEqual(posted);
  });

  it('a posted transaction is not added again when the bank changes the ids of pending ones', async () => {
    const { answers } = await bank();
    const pending = (more: Partial<SnapshotTransaction> = {}) => hold({ merchant: 'Metro', ...more });
    const booked = transaction('2026-03-15', -4_200, { merchant: 'Metro' });
    await answers(pending());
    tidemark.clock.set('2026-03-16T12:00:00Z');
    const posted = await answers(booked, pending());
    expect(posted).toMatchObject([{ pending: false }]);
    for (let times = 0; times < 2; times++) expect(await answers(booked, pending())).toEqual(posted);
    // Made on a day after the first sync that brought the other one.
    const later = pending({ date: '2026-03-16' });
    expect(await answers({ ...booked, date: '2026-03-17' }, later)).toHaveLength(2);
  });

  it('two equal pending purchases stay two rows', async () => {
    const { answers } = await bank();
    const [first, second] = [hold(), hold()];
    expect(await answers(first, second)).toHaveLength(2);
    const booked = transaction('2026-03-15', -4_200);
    const rows = await answers(second, booked);
    expect(rows.map(({ pending }) => pending).sort()).toEqual([false, true]);
  });

  it('two equal pending purchases posted together under new ids become two posted rows', async () => {
    const { answers } = await bank();
    const tickets = [hold({ externalId: 'ticket-1' }), hold({ externalId: 'ticket-2' })];
    const before = await answers(...tickets);
    const booked = [transaction('2026-03-15', -4_200), transaction('2026-03-15', -4_200)];
    const rows = await answers(...booked);
    expect(rows.map(({ id, pending }) => [id, pending]).sort()).toEqual(before.map(({ id }) => [id, false]).sort());
    expect(await answers(...booked, ...tickets)).toHaveLength(2);
  });

  it('two equal pending purchases leave one pending row if one is posted while both are still listed', async () => {
    const { answers } = await bank();
    const tickets = [hold({ externalId: 'ticket-1' }), hold({ externalId: 'ticket-2' })];
    const booked = transaction('2026-03-15', -4_200);
    await answers(...tickets);
    for (const listed of [tickets, tickets.slice(0, 1)]) {
      const rows = await answers(...listed, booked);
      expect(rows.map(({ pending }) => pending).sort()).toEqual([false, true]);
    }
  });

  it('pending transactions are deleted when they are switched off', async () => {
    const { answers, connection } = await bank();
    await answers(hold(), transaction('2026-03-13', 100));
    await client.patch(`/api/v1/connections/${connection.id}`, { include_pending: false });
    expect(await answers(transaction('2026-03-13', 100))).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ pending: true })]),
    );
  });
});
