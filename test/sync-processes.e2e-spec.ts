import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { AppSecrets } from '../src/app-secret.js';
import { Secret } from '../src/bank-provider/secret.js';
import { credentialOwner } from '../src/sync/credential-owner.js';
import { CredentialVault } from '../src/sync/credential-vault.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from './instant-bank.js';
import { type Running, start } from './run-process.js';

const APP_SECRET = 'a root secret for the tests of many processes';
const TODAY = new Date().toISOString().slice(0, 10);
const GATE = 4_242;
const ACCOUNTS = 4;
const CONNECTIONS = 200;
const DEADLINE_MS = 90_000;

/** Worker processes on one PostgreSQL, with a provider in this process that answers at once. */
describe('several processes on one database', () => {
  let database: TestDatabase;
  let bank: InstantBank;
  let sql: pg.Client;
  let started: Running[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    bank = await startInstantBank(TODAY, ACCOUNTS);
    sql = new pg.Client(database.url);
    await sql.connect();
  });
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
    started = [];
    await sql.end();
    await database.drop();
    await bank.server.stop();
  });

  function startWorker(syncCron: string): Running {
    const worker = start('main', [], {
      ...{ DATABASE_URL: database.url, APP_SECRET, PORT: '0', SYNC_CRON: syncCron, SYNC_CONCURRENCY: '8' },
      ...{ PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '127.0.0.1', ROLE: 'worker' },
    });
    started.push(worker);
    return worker;
  }

  /** Due connections of one person, each with its own user at the bank. */
  async function createConnections(names: string[]): Promise<void> {
    const vault = new CredentialVault(new AppSecrets([new Secret(APP_SECRET)]));
    const userId = randomUUID();
    await sql.query(`insert into users (id, email, password_hash) values ($1, $2, '')`, [userId, userId]);
    const rows = names.map((name) => {
      const id = randomUUID();
      return { id, name, credential: vault.seal(new Secret(bank.credential(name)), credentialOwner({ userId, id })) };
    });
    await sql.query(
      `insert into connections (user_id, id, provider, name, credential, credential_fingerprint, history_days)
       select $1, id, 'us_provider', name, credential, name, 30
       from jsonb_to_recordset($2) as row (id uuid, name text, credential text)`,
      [userId, JSON.stringify(rows)],
    );
  }

  async function until(condition: string, what: string): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const { rows } = await sql.query(`select (${condition}) as seen, pg_sleep(0.05)`);
      if (rows[0].seen) return;
      if (performance.now() > deadline) throw new Error(`still not ${what}`);
    }
  }

  const runs = async () =>
    (await sql.query(`select id, status, attempt, trigger from sync_runs order by queued_at, id`)).rows;

  /** What is stored of each connection, without ids and times: the same for all, since the bank tells all the same. */
  async function stored(): Promise<string[]> {
    const { rows } = await sql.query(`
      select connection_id, string_agg(line, '; ' order by line) as lines
      from (
        select connection_id, concat_ws(' ', name, transactions, total, days, worth) as line
        from accounts a
        cross join lateral (
          select count(*) as transactions, sum(amount_minor) as total from transactions t where t.account_id = a.id
        ) t
        cross join lateral (
          select count(*) as days, sum(end_cash + end_non_cash) as worth from balances b where b.account_id = a.id
        ) b
      ) account
      group by connection_id`);
    return rows.map(({ lines }) => lines);
  }

  /** Holds up whoever stores the third account of any connection, until it is opened. */
  async function closeGate(): Promise<() => Promise<unknown>> {
    await sql.query(`create function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$`);
    await sql.query(`create trigger gate before insert on accounts for each row when (new.name = 'Account 2')
      execute function wait_at_gate()`);
    await sql.query(`select pg_advisory_lock(${GATE})`);
    return () => sql.query(`select pg_advisory_unlock(${GATE})`);
  }

  const waiting = (count: number) =>
    `(select count(*) from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted) = ${count}`;

  it('syncs each of 200 connections exactly once per tick', async () => {
    const names = Array.from({ length: CONNECTIONS }, (_, index) => `user${index}`);
    bank.play((request) => ({ body: accountsOf(userOf(request), TODAY, 1) }));
    await createConnections(names);
    for (let process = 0; process < 3; process++) startWorker('*/2 * * * * *');
    const done = (count: number) => `(select count(*) from sync_runs where finished_at is not null) = ${count}`;
    await until(done(CONNECTIONS), 'synced once');
    // By now many ticks have passed. Those that become due again are synced once more, and only those.
    await sql.query(`update connections set next_sync_at = null where name like 'user1_'`);
    await until(done(CONNECTIONS + 10), 'synced again');
    const all = await runs();
    expect(new Set(all.map(({ status, attempt, trigger }) => `${status} ${attempt} ${trigger}`))).toEqual(
      new Set(['succeeded 1 schedule']),
    );
    // A sync asks twice: for balances and for transactions.
    for (const name of names) expect([name, bank.asked(name)]).toEqual([name, /^user1.$/.test(name) ? 4 : 2]);
    expect(new Set(await stored()).size).toBe(1);
  });

  it('takes the run of a killed worker up again, and neither loses nor doubles a row', async () => {
    await createConnections(['undisturbed']);
    const first = startWorker('* * * * * *');
    await until(`exists (select from sync_runs where status = 'succeeded')`, 'synced undisturbed');
    const open = await closeGate();
    await createConnections(['disturbed']);
    await until(waiting(1), 'in the middle of a run');
    const second = startWorker('off');
    first.child.kill('SIGKILL');
    await first.finished;
    await open();
    await until(`(select count(*) from sync_runs where status = 'succeeded') = 2`, 'finished by the other worker');
    const [, run] = await runs();
    expect(run).toMatchObject({ attempt: 2 });
    const [undisturbed, disturbed] = await stored();
    expect(disturbed).toBe(undisturbed);
    expect(disturbed!.split('; ')).toHaveLength(ACCOUNTS);
    second.child.kill('SIGTERM');
    const { code, stderr } = await second.finished;
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`"sync":"${run.id}".*Sync succeeded.*attempt 2`));
  });

  it('writes nothing by half at SIGTERM under load, and the next start finishes the runs', async () => {
    await createConnections(['undisturbed']);
    const first = startWorker('* * * * * *');
    await until(`exists (select from sync_runs where status = 'succeeded')`, 'synced undisturbed');
    const open = await closeGate();
    await createConnections(['a', 'b', 'c']);
    await until(waiting(3), 'in the middle of three runs');
    first.child.kill('SIGTERM');
    await open();
    expect((await first.finished).code).toBe(0);
    expect((await runs()).map(({ status }) => status).sort()).toEqual(['queued', 'queued', 'queued', 'succeeded']);
    const [whole = [], ...parts] = (await stored())
      .map((lines) => lines.split('; '))
      .sort((a, b) => b.length - a.length);
    expect(whole).toHaveLength(ACCOUNTS);
    for (const part of parts) expect(whole).toEqual(expect.arrayContaining(part));
    startWorker('off');
    await until(`(select count(*) from sync_runs where status = 'succeeded') = 4`, 'finished by the next start');
    expect(new Set(await stored())).toEqual(new Set([whole.join('; ')]));
    expect(await stored()).toHaveLength(4);
  });
});
