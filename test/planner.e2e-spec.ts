import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Account } from '../src/accounts/account.entity.js';
import type { SnapshotTransaction } from '../src/bank-provider/bank-provider.js';
import type { Connection } from '../src/connections/connection.entity.js';
import { moveTransactionsAndReports } from '../src/ingest/merge/merge-transactions.js';
import { addDays } from '../src/time/calendar-date.js';
import { createClient, startTestApp, type TestApp, type TestClient } from './support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './support/factories.js';

const ROWS = 1_000;
/** Every statement reads the account's rows once or so; for each of many rows would be many times as much. */
const MOST_READ = 6 * ROWS;

describe('an account of which PostgreSQL has no statistics yet', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  const account = snapshotAccount({ balance: balance(100_000) });
  const rows = Array.from({ length: ROWS }, (_, index) =>
    transaction(addDays('2026-03-14', -(index % 300)), -100 - index),
  );

  beforeAll(async () => {
    tidemark = await startTestApp();
    tidemark.clock.set('2026-03-15T12:00:00Z');
    for (const table of ['transactions', 'balances', 'observations']) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(tidemark.em().getKysely());
    }
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
  });

  const write = (transactions: SnapshotTransaction[], em = tidemark.em(), externalId = account.externalId) =>
    writeSnapshot({ ...tidemark, em: () => em }, connection, { ...account, externalId, transactions });

  /** Of the table of transactions: what this session has read and not yet told to the statistics. */
  const rowsRead = async (em: EntityManager) => {
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'transactions'
    `.execute(em.getKysely());
    return rows[0]!.read;
  };

  /** How many stored transactions PostgreSQL looks at, whether it needs them or not. */
  const readBy = (work: (em: EntityManager) => Promise<unknown>): Promise<number> =>
    tidemark.em().transactional(async (em) => {
      const before = await rowsRead(em);
      await work(em);
      return (await rowsRead(em)) - before;
    });

  const every = (nth: number, change: (row: SnapshotTransaction) => SnapshotTransaction) =>
    rows.map((row, index) => (index % nth === 0 ? change(row) : row));
  const withOtherId = (row: SnapshotTransaction) => ({ ...row, externalId: `${row.externalId} again` });

  it.each([
    ['without news', () => rows],
    ['with some new rows', () => [...rows, ...rows.slice(0, 50).map(withOtherId)]],
    ['with some changed rows', () => every(20, (row) => ({ ...row, description: 'Another shop' }))],
    ['with some rows under other ids', () => every(20, withOtherId)],
    ['with all rows under other ids', () => rows.map(withOtherId)],
    ['in another order', () => rows.toReversed()],
  ])('is not read again and again by an answer %s', async (_, answer) => {
    await write(rows);
    expect(await readBy((em) => write(answer(), em))).toBeLessThan(MOST_READ);
  });

  it.each([
    ['the same ids', rows],
    ['other ids', rows.map(withOtherId)],
  ])('is not read again and again when it continues another one with %s', async (_, others) => {
    const { accountId: kept } = await write(rows);
    const { accountId: arrived } = await write(others, tidemark.em(), 'another account');
    const read = await readBy(async (em) => {
      const accounts = await em.find(Account, { userId: client.userId });
      const [into, from] = [kept, arrived].map((id) => accounts.find((account) => account.id === id)!);
      await moveTransactionsAndReports(em, into!, from!, new Date());
    });
    const moved = 'select 1 from transactions where account_id = ?';
    expect(await tidemark.em().execute<unknown[]>(moved, [kept])).toHaveLength(ROWS);
    expect(read).toBeLessThan(MOST_READ);
  });
});

describe('the syncs of many months', () => {
  let tidemark: TestApp;
  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());

  it('are not read to count those of a day', async () => {
    const kysely = tidemark.em().getKysely();
    await sql`
      insert into users (id, email, password_hash) select id, id::text, 'none' from (
        select gen_random_uuid() as id from generate_series(1, 2000)
      ) person`.execute(kysely);
    await sql`
      insert into sync_runs (user_id, id, trigger, status, step, queued_at)
      select id, gen_random_uuid(), 'schedule', 'succeeded', 'done', now() - n * interval '5 days'
      from users, generate_series(1, 10) n`.execute(kysely);
    await sql`analyze sync_runs`.execute(kysely);
    // As the gauge `tidemark_syncs_last_day` does.
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select status, count(*) from sync_runs where queued_at > now() - interval '1 day' group by status
    `.execute(kysely);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan \S+ sync_runs_queued_idx/);
  });
});

describe('an account of one of many people', () => {
  let tidemark: TestApp;
  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());

  it('is known to be of one person, so that as many rows are expected of it as there are', async () => {
    const kysely = tidemark.em().getKysely();
    await sql`
      insert into users (id, email, password_hash) select id, id::text, 'none' from (
        select gen_random_uuid() as id from generate_series(1, 200)
      ) person`.execute(kysely);
    await sql`
      insert into accounts (user_id, id, provider, external_id, name)
      select id, gen_random_uuid(), 'us_provider', 'A', 'Checking' from users`.execute(kysely);
    await sql`
      insert into transactions (user_id, account_id, external_id, date, amount_minor, currency, description, pending,
        first_seen_at)
      select user_id, id, 'T' || n, '2026-03-15', -500, 'USD', 'Shop', false, now()
      from accounts, generate_series(1, 40) n`.execute(kysely);
    await sql`analyze transactions`.execute(kysely);
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
      explain (format json) select from transactions t
      where (t.user_id, t.account_id) = (select user_id, id from accounts limit 1)`.execute(kysely);
    expect(rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThan(20);
  });
});
