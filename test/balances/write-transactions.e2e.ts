import { sql } from 'kysely';
import type { SnapshotAccount, SnapshotTransaction } from '../../src/providers/bank-provider.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

describe('storing the transactions of a sync', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let account: SnapshotAccount;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    connection = await createConnection(tidemark, client.userId);
    account = snapshotAccount({ balance: balance(100_000) });
  });

  const write = (...transactions: SnapshotTransaction[]) =>
    writeSnapshot(tidemark, connection, { ...account, transactions });

  async function stored(accountId: string) {
    const { rows } = await sql<Record<string, unknown>>`
      select external_id, date::text as date, amount_minor::float8 as amount_minor, description, merchant, pending,
        xmin::text as version, id
      from transactions where account_id = ${accountId} order by external_id
    `.execute(tidemark.em().getKysely());
    return rows;
  }

  async function versions(): Promise<unknown> {
    const counts = ['accounts', 'transactions', 'observations', 'holdings', 'balances', 'balance_spans'].map(
      (table) => sql`select ${table} as name, xmin::text as version, count(*) from ${sql.table(table)} group by xmin`,
    );
    const { rows } = await sql`${sql.join(counts, sql` union all `)} order by 1, 2`.execute(tidemark.em().getKysely());
    return rows;
  }

  it('every text of a transaction is stored unchanged', async () => {
    const texts = ['say "yes"', 'C:\\temp\\', '{a,b}', 'NULL', '', 'two\nlines', "it's", 'コンビニ', '$1 %s'];
    const { accountId } = await write(
      ...texts.map((text, index) =>
        transaction('2026-03-14', -100, { externalId: `${index} ${text}`, description: text, merchant: text || null }),
      ),
    );
    const rows = await stored(accountId);
    expect(rows.map(({ external_id, description, merchant }) => [external_id, description, merchant])).toEqual(
      texts.map((text, index) => [`${index} ${text}`, text, text || null]),
    );
  });

  it('a sync inserts missing transactions, updates changed ones and touches no others', async () => {
    const [same, changed] = [transaction('2026-03-10', -100), transaction('2026-03-11', -200)];
    const { accountId } = await write(same, changed);
    const before = await stored(accountId);
    const answer = [same, { ...changed, description: 'Another shop' }, transaction('2026-03-12', -300)];
    expect(await write(...answer)).toMatchObject({ added: 1, updated: 1, removed: 0 });
    const after = await stored(accountId);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toMatchObject({ id: before[1]!.id, description: 'Another shop' });
    expect(after).toHaveLength(3);
  });

  it('transactions are recognized in any order, also when a partial answer lacks one of them', async () => {
    account = { ...account, covered: [] };
    const rows = ['08', '09', '10', '11'].map((day) => transaction(`2026-03-${day}`, -100));
    const [a, b, c, d] = rows as [SnapshotTransaction, SnapshotTransaction, SnapshotTransaction, SnapshotTransaction];
    const { accountId } = await write(a, b, c, d);
    const before = await stored(accountId);
    expect(await write(d, c, b, a)).toMatchObject({ added: 0, updated: 0 });
    expect(await write(a, c, d)).toMatchObject({ added: 0, updated: 0 });
    expect(await write(transaction('2026-03-13', -5), c, a, d)).toMatchObject({ added: 1, updated: 0 });
    expect((await stored(accountId)).slice(0, 4)).toEqual(before);
  });

  it('a sync without changes writes no transaction', async () => {
    const rows = [transaction('2026-03-10', -100), transaction('2026-03-14', -200, { pending: true })];
    await write(...rows);
    const before = await versions();
    tidemark.clock.set('2026-03-15T18:00:00Z');
    expect(await write(...rows)).toMatchObject({ added: 0, updated: 0, removed: 0, balancesWritten: 0 });
    expect(await versions()).toEqual(before);
  });

  it('a transaction that its bank moves to a later day than all others keeps its row', async () => {
    const row = transaction('2026-03-01', -100);
    const { accountId } = await write(row);
    const [before] = await stored(accountId);
    expect(await write({ ...row, date: '2026-03-14' })).toMatchObject({ added: 0, updated: 1 });
    expect(await stored(accountId)).toEqual([{ ...before, date: '2026-03-14', version: expect.any(String) }]);
  });

  it('the history continues on the next day although nothing changed', async () => {
    const row = transaction('2026-03-10', -100);
    await write(row);
    tidemark.clock.set('2026-03-16T06:00:00Z');
    expect(await write(row)).toMatchObject({ added: 0, updated: 0, balancesWritten: 1 });
  });

  it('the history is derived again when the provider corrects the currency', async () => {
    const row = transaction('2026-03-10', -100, { currency: 'CAD' });
    const { accountId } = await write(row);
    account = { ...account, currency: 'CAD' };
    const { balancesWritten } = await write(row);
    expect(balancesWritten).toBeGreaterThan(0);
    const { body } = await client.get(`/api/v1/balances?account_id=${accountId}&per_page=1`);
    expect(body.balances[0].currency).toBe('CAD');
  });

  it('the guessed date of a transaction is not replaced by another guess, but by a date of the bank', async () => {
    const row = transaction('2026-03-10', -100, { dateIsGuess: true });
    const { accountId } = await write(row);
    const datesAfter = async (...answer: SnapshotTransaction[]) => {
      await write(...answer);
      return (await stored(accountId)).map(({ date, amount_minor }) => [date, amount_minor]);
    };
    expect(await datesAfter({ ...row, date: '2026-03-15' })).toEqual([['2026-03-10', -100]]);
    const [only] = await stored(accountId);
    const { body } = await client.get(`/api/v1/transactions/${String(only!.id)}`);
    expect(body.versions).toHaveLength(1);
    expect(await datesAfter({ ...row, date: '2026-03-15', amountMinor: -150 })).toEqual([['2026-03-10', -150]]);
    expect(await datesAfter({ ...row, date: '2026-03-12', dateIsGuess: undefined })).toEqual([['2026-03-12', -100]]);
  });
});
