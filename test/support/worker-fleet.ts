import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { AppSecrets } from '../../src/platform/config/app-secret.js';
import { Secret } from '../../src/platform/config/secret.js';
import { credentialOwner, CredentialVault } from '../../src/platform/vault/credential-vault.js';
import { LOCAL_PROVIDER } from './app.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { type InstantBank, startInstantBank } from './instant-bank.js';
import { OF_THIS_DATABASE } from './lock-wait.js';
import { middayZone } from './midday.js';
import { type Running, start } from './run-process.js';

const APP_SECRET = 'a root secret for the tests of many processes';
const GATE = 4_242;
/** How long nothing may happen that is waited for: what all together takes is the machine's matter. */
const STANDSTILL_MS = 200_000;

/** Where somebody is held up: any event of a table, on a condition on its `new` row. */
type Barrier = readonly [event: string, condition: string];

interface RunRow {
  id: string;
  name: string;
  status: string;
  attempt: number;
  trigger: string;
  /** The figures of its accounts, without their ids. */
  figures: string;
}

/** Worker processes on one PostgreSQL, with a provider in this process that answers at once. */
export class WorkerFleet {
  readonly #started: Running[] = [];
  readonly #timeZone = middayZone();

  private constructor(
    readonly today: string,
    readonly bank: InstantBank,
    private readonly database: TestDatabase,
    private readonly client: pg.Client,
  ) {}

  static async create(accounts: number): Promise<WorkerFleet> {
    const today = new Date().toISOString().slice(0, 10);
    const database = await createTestDatabase();
    const client = new pg.Client(database.url);
    await client.connect();
    return new WorkerFleet(today, await startInstantBank(today, accounts), database, client);
  }

  async stop(): Promise<void> {
    for (const { child } of this.#started) child.kill('SIGKILL');
    await Promise.all(this.#started.map(({ finished }) => finished));
    await this.client.end();
    await this.database.drop();
    await this.bank.server.stop();
  }

  startWorker(syncCron: string, concurrency = 8): Running {
    const worker = start('main', [], {
      ...{ DATABASE_URL: this.database.url, APP_SECRET, PORT: '0', ROLE: 'worker' },
      ...{ SYNC_CRON: syncCron, SYNC_CONCURRENCY: String(concurrency), DATABASE_POOL_MAX: '30' },
      ...LOCAL_PROVIDER,
    });
    this.#started.push(worker);
    return worker;
  }

  async execute<T extends pg.QueryResultRow>(statement: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.client.query<T>(statement, parameters)).rows;
  }

  /** Due connections, each of a person of its own and with its own user at the bank. */
  async connect(...names: string[]): Promise<void> {
    const vault = new CredentialVault(new AppSecrets([new Secret(APP_SECRET)]));
    const rows = names.map((name) => {
      const [userId, id] = [randomUUID(), randomUUID()];
      const credential = vault.seal(new Secret(this.bank.credential(name)), credentialOwner({ userId, id }));
      return { user_id: userId, id, name, credential };
    });
    await this.execute(
      `with row as (
         select * from jsonb_to_recordset($1) as row (user_id uuid, id uuid, name text, credential text)
       ),
       person as (
         insert into users (id, email, password_hash, time_zone) select user_id, user_id, '', $2 from row
       )
       insert into connections (user_id, id, provider, name, credential, credential_fingerprint, history_days)
       select user_id, id, 'us_provider', name, credential, name, 30 from row`,
      [JSON.stringify(rows), this.#timeZone],
    );
  }

  /** Until the query counts so many. */
  async #until(query: string, count: number, what: string): Promise<void> {
    let before: number | null = null;
    let movedAt = 0;
    for (;;) {
      const [row] = await this.execute<{ now: number }>(`select (${query})::integer as now, pg_sleep(0.05)`);
      const { now } = row!;
      if (now === count) return;
      if (now !== before) [before, movedAt] = [now, performance.now()];
      else if (performance.now() > movedAt + STANDSTILL_MS)
        throw new Error(`still ${now} instead of ${count} ${what}: ${JSON.stringify(await this.runs())}`);
    }
  }

  /** Until so many runs have ended well. */
  succeeded(count: number): Promise<void> {
    const query = `select count(*) from sync_runs where status = 'succeeded'`;
    return this.#until(query, count, 'syncs that succeeded');
  }

  /** By the names of their connections. */
  runs(): Promise<RunRow[]> {
    return this.execute<RunRow>(`
      select run.id, connection.name, run.status, run.attempt, run.trigger, (
        select string_agg((account - 'accountId' - 'externalId')::text, '; ' order by account->>'name')
        from jsonb_array_elements(run.accounts) account
      ) as figures
      from sync_runs run join connections connection on connection.id = run.connection_id
      order by connection.name, run.queued_at`);
  }

  /** What is stored of each connection, without ids and times: the same for all, since the bank answers all alike. */
  async stored(): Promise<string[]> {
    const rows = await this.execute<{ lines: string }>(`
      select string_agg(concat_ws(' ', name, transactions, total, days, worth), '; ' order by name) as lines
      from accounts a
      cross join lateral (
        select count(*) as transactions, sum(amount_minor) as total from transactions t where t.account_id = a.id
      ) t
      cross join lateral (
        select count(*) as days, sum(end_cash + end_non_cash) as worth from balances b where b.account_id = a.id
      ) b
      group by connection_id`);
    return rows.map(({ lines }) => lines);
  }

  /** Holds up whoever passes one of these, until it is opened. */
  async closeGate(...barriers: Barrier[]): Promise<() => Promise<unknown>> {
    await this.execute('select pg_advisory_lock($1)', [GATE]);
    for (const [index, [event, condition]] of barriers.entries()) {
      await this.execute(`create function gate_${index}() returns trigger language plpgsql as $$ begin
        if ${condition} then perform pg_advisory_xact_lock_shared(${GATE}); end if; return new; end $$`);
      await this.execute(`create trigger gate before ${event} for each row execute function gate_${index}()`);
    }
    return () => this.execute('select pg_advisory_unlock($1)', [GATE]);
  }

  /** Until so many are held up. */
  heldUp(count: number): Promise<void> {
    const query = `select count(*) from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted and ${OF_THIS_DATABASE}`;
    return this.#until(query, count, 'held up at the gate');
  }
}
