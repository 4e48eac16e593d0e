import pg from 'pg';
import { AccountSeriesRepository } from '../../src/balances/record/account-series.repository.js';
import { atOneMoment } from '../../src/database/one-moment.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { until } from '../support/syncs.js';

/** The number of the advisory lock by which a commit is held up. */
const GATE = 4_711;

describe('consistent snapshots of responses that need several statements', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let tell: (day: string, balanceMinor: number, amounts: readonly number[]) => Promise<string>;

  beforeAll(async () => {
    tidemark = await startTestApp({ ROLE: 'api', DATABASE_LOCK_TIMEOUT_MS: '600000' });
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set('2026-03-10T12:00:00Z');
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount();
    tell = async (day, balanceMinor, amounts) => {
      tidemark.clock.set(`${day}T12:00:00Z`);
      const transactions = amounts.map((amount, at) => transaction(`2026-03-0${at + 1}`, amount));
      const { accountId } = await writeSnapshot(tidemark, connection, {
        ...account,
        balance: balance(balanceMinor),
        transactions,
      });
      return accountId;
    };
  });

  async function outside(): Promise<pg.Client> {
    const session = new pg.Client(tidemark.database.url);
    await session.connect();
    afterThisTest(() => session.end());
    return session;
  }

  async function waitingSessions(): Promise<number> {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await tidemark.em().execute<unknown[]>(waiting)).length;
  }

  it('a reconciliation is consistent while a transaction and its balance report are stored', async () => {
    const accountId = await tell('2026-03-10', 10_000, [-500, -300]);
    await tell('2026-03-11', 10_000, [-500, -300]);
    const path = `/api/v1/accounts/${accountId}/reconciliation`;
    const { body: before } = await client.get(path);
    expect(before.findings).toEqual([]);
    const writer = await outside();
    await writer.query('begin');
    await writer.query('lock table holdings in access exclusive mode');
    const reading = client.get(path);
    await sessionWaitsForLock(tidemark);
    // Transactions have been read, reports not.
    const values = [client.userId, accountId];
    await writer.query(
      `update transactions set amount_minor = amount_minor - 200 where user_id = $1 and account_id = $2 and amount_minor = -300`,
      values,
    );
    await writer.query(
      `update observations set balance_minor = balance_minor - 200 where user_id = $1 and account_id = $2`,
      values,
    );
    await writer.query('commit');
    expect((await reading).body).toEqual(before);
  });

  it('net worth is consistent while an account is merged into its possible duplicate', async () => {
    await tell('2026-03-10', 10_000, []);
    const owner = [client.userId];
    await tidemark.em().execute('update accounts set connection_id = null where user_id = ?', owner);
    tidemark.clock.set('2026-03-11T12:00:00Z');
    const connection = await createConnection(tidemark, client.userId);
    await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(10_000) }));
    const { body: before } = await client.get('/api/v1/net_worth');
    expect(before.net_worth).toMatchObject([{ net_worth_cents: 10_000 }, { net_worth_cents: 10_000 }]);
    const writer = await outside();
    await writer.query('begin');
    await writer.query('lock table accounts_kept_apart in access exclusive mode');
    const reading = client.get('/api/v1/net_worth');
    await sessionWaitsForLock(tidemark);
    // Accounts have been read, their balances not.
    await writer.query(
      `update balances set account_id = (select id from accounts where user_id = $1 and connection_id is null)
       where user_id = $1 and date = '2026-03-11'`,
      owner,
    );
    await writer.query('delete from accounts where user_id = $1 and connection_id is not null', owner);
    await writer.query(`update balance_spans set last_date = '2026-03-11' where user_id = $1`, owner);
    await writer.query('commit');
    expect((await reading).body).toEqual(before);
  });

  it('a page and its total count are consistent', async () => {
    await tell('2026-03-10', 10_000, [-500]);
    const counts = await atOneMoment(tidemark.em(), async (em) => {
      const count = async () => {
        const all = em.getKysely<{ transactions: { user_id: string } }>().selectFrom('transactions');
        const rows = await all.select('user_id').where('user_id', '=', client.userId).execute();
        return rows.length;
      };
      const before = await count();
      await (await outside()).query('delete from transactions where user_id = $1', [client.userId]);
      return [before, await count()];
    });
    expect(counts).toEqual([1, 1]);
  });

  it('audit events and their total are consistent while an event is added', async () => {
    const [holder, writer] = [await outside(), await outside()];
    const lock = 'lock table audit_events in access exclusive mode';
    for (const session of [holder, writer]) await session.query('begin');
    await holder.query(lock);
    const reading = client.get('/api/v1/audit_events');
    await sessionWaitsForLock(tidemark);
    const locked = writer.query(lock);
    await until(async () => (await waitingSessions()) >= 2 || null, 'waiting, the writer for the total');
    await holder.query('commit');
    await locked;
    await writer.query(`insert into audit_events (user_id, occurred_at, kind) values ($1, now(), 'signed_in')`, [
      client.userId,
    ]);
    await writer.query('commit');
    const { body } = await reading;
    expect(body.audit_events.length).toBe(body.pagination.total_count);
  });

  it('balances as of a time are consistent while a change is being committed', async () => {
    await tell('2026-03-10', 10_000, [-500]);
    const gatekeeper = await outside();
    await gatekeeper.query(`
      create function wait_at_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(${GATE}); return null; end $$;
      create constraint trigger gate after insert on revisions deferrable initially deferred
      for each row execute function wait_at_gate()`);
    afterThisTest(() => gatekeeper.query('drop function wait_at_gate cascade'));
    await gatekeeper.query(`select pg_advisory_lock(${GATE})`);
    const writing = tell('2026-03-11', 9_000, [-500, -1_000]);
    await sessionWaitsForLock(tidemark);
    const { rows } = await gatekeeper.query<{ now: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
    );
    const list = async () => (await client.get(`/api/v1/balances?per_page=100&as_of=${rows[0]!.now}`)).body.balances;
    const reading = list();
    const bothWait = until(async () => (await waitingSessions()) >= 2 || null, 'waiting, the reader for the writer');
    await Promise.race([reading, bothWait]);
    await gatekeeper.query(`select pg_advisory_unlock(${GATE})`);
    await Promise.all([writing, bothWait.catch(() => undefined)]);
    expect(await reading).toEqual(await list());
  });

  it('a chart is in one currency although the account had another one before', async () => {
    const { userId } = await createClient(tidemark);
    const connection = await createConnection(tidemark, userId);
    const account = snapshotAccount();
    let accountId = '';
    for (const [day, currency] of [
      ['2026-03-10', 'USD'],
      ['2026-03-11', 'JPY'],
      ['2026-04-20', 'JPY'],
      ['2026-04-21', 'USD'],
      ['2026-04-23', 'USD'],
    ] as const) {
      tidemark.clock.set(`${day}T12:00:00Z`);
      ({ accountId } = await writeSnapshot(tidemark, connection, { ...account, currency, balance: balance(10_000) }));
    }
    const series = await tidemark.app
      .get(AccountSeriesRepository, { strict: false })
      .findSeries(userId, accountId, null, null);
    expect(series).toMatchObject({ firstDay: '2026-04-21', balances: [10_000, 10_000, 10_000] });
  });
});
