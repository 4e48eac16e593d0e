import { EditAccountService } from '../../src/balances/edit-account/edit-account.service.js';
import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { MergeAccountsService } from '../../src/sync/ingest/merge/merge-accounts.service.js';
import { markMissingAccounts } from '../../src/sync/ingest/listed-accounts.js';
import { EditConnectionService } from '../../src/sync/connect/edit-connection.service.js';
import { SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import { PROVIDERS } from '../../src/providers/installed.js';
import {
  createClient,
  LOCAL_PROVIDER,
  startTestApp,
  StillClock,
  type TestApp,
  type TestClient,
} from '../support/app.js';
import { guardChanges } from '../support/change-guard.js';
import { Copy, KINDS, listed } from '../support/copy.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from '../support/instant-bank.js';
import { start, waitFor } from '../support/run-process.js';
import { wireTransaction } from '../support/scripted-us-provider.js';

/** `CHANGE_FEED_SEEDS=200 npm test -- --testPathPatterns=change-feed-writers` tries that many. */
const SEEDS = Number(process.env['CHANGE_FEED_SEEDS'] ?? 4);
const ROUNDS = 6;
const WRITES = 5;
const KILLS_PER_SEED = 3;
const APP_SECRET = 'a root secret for the tests of writers';
const WORKER = 'a worker that is killed';
const TYPES = ['depository', 'credit_card', 'other_asset'] as const;

/** Numbers below 1, the same ones for the same seed. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One person's banks, and everything that may happen to their data. */
class Household {
  readonly #connections: { connection: Connection; accounts: SnapshotAccount[] }[] = [];
  #serial = 0;

  constructor(
    private readonly tidemark: TestApp,
    readonly client: TestClient,
    private readonly next: () => number,
  ) {}

  async connect(): Promise<void> {
    const connection = await createConnection(this.tidemark, this.client.userId);
    const accounts = [0, 1].map((n) => snapshotAccount({ name: `Account ${n}`, balance: balance(10_000) }));
    this.#connections.push({ connection, accounts });
  }

  write(): Promise<unknown> {
    const works: (() => Promise<unknown>)[] = [
      ...[() => this.#sync(), () => this.#sync(), () => this.#sync(), () => this.#sync()],
      ...[() => this.#edit(), () => this.#killed(), () => this.#missing(), () => this.#merge(), () => this.#runs()],
      ...[() => this.#switchPending(), () => this.#remove()],
    ];
    return this.#pick(works)!();
  }

  /** A bank lists a transaction more, one less, another amount; or nothing new at all. */
  async #sync(): Promise<void> {
    const { connection, accounts } = this.#pick(this.#connections) ?? {};
    if (!connection || !accounts) return;
    const account = this.#pick(accounts)!;
    const rows = [...account.transactions];
    const what = this.next();
    if (what < 0.5) rows.push(transaction(this.#day(), this.#amount(), { pending: this.next() < 0.3 }));
    else if (what < 0.7) rows.splice(Math.floor(this.next() * rows.length), 1);
    else if (what < 0.9 && rows.length > 0) rows[0] = { ...rows[0]!, amountMinor: this.#amount() };
    account.transactions = rows;
    if (this.next() < 0.6) account.balance = balance(this.#amount());
    const holdings = this.next() < 0.3 ? [this.#holding()] : null;
    if (holdings) account.holdings = { status: 'available', items: holdings, total: null };
    await writeSnapshot(this.tidemark, connection, account);
  }

  async #edit(): Promise<void> {
    const id = await this.#anyAccount();
    const changes = this.next() < 0.5 ? { name: `Name ${++this.#serial}` } : { accountType: this.#pick([...TYPES])! };
    if (id) await this.#service(EditAccountService).edit({ ...this.client, timeZone: 'UTC' }, id, changes);
  }

  /** A session that is cut off with everything written and nothing committed. */
  async #killed(): Promise<void> {
    const { connection, accounts } = this.#pick(this.#connections) ?? {};
    if (!connection || !accounts) return;
    const account = { ...accounts[0]!, name: 'NEVER COMMITTED' };
    const cutOff = this.tidemark.em().transactional(async (em) => {
      await writeSnapshot({ ...this.tidemark, em: () => em }, connection, account);
      await em.execute('select pg_terminate_backend(pg_backend_pid())');
    });
    await cutOff.catch(() => undefined);
  }

  async #missing(): Promise<void> {
    const { connection } = this.#pick(this.#connections) ?? {};
    const snapshot = { accounts: [snapshotAccount()], problems: [], retryAfterSeconds: null };
    const now = this.tidemark.clock.now();
    if (!connection) return;
    await this.tidemark.em().transactional((em) => markMissingAccounts(em, connection, snapshot, now));
  }

  async #merge(): Promise<void> {
    const [disconnectedId, replacementId] = [await this.#anyAccount('missing'), await this.#anyAccount('active')];
    if (!disconnectedId || !replacementId) return;
    const merges = this.#service(MergeAccountsService);
    if (this.next() < 0.7) await merges.merge(this.client.userId, [{ disconnectedId, replacementId }], '2026-03-15');
    else await merges.keepSeparate(this.client.userId, { disconnectedId, replacementId });
  }

  async #runs(): Promise<void> {
    const { connection } = this.#pick(this.#connections) ?? {};
    if (!connection) return;
    const run = await this.#service(SyncRunsService).request(this.client.userId, connection.id, 'first');
    if (this.next() < 0.5) await this.#service(SyncRunsService).cancel(this.client.userId, run.id);
  }

  async #switchPending(): Promise<void> {
    const { connection } = this.#pick(this.#connections) ?? {};
    const includePending = this.next() < 0.5;
    if (connection) await this.#service(EditConnectionService).edit(connection, { includePending });
  }

  /** Seldom, or nothing would be left to happen. */
  async #remove(): Promise<void> {
    if (this.next() < 0.6) return;
    const [gone] = this.#connections.splice(0, 1);
    if (gone) await this.#service(EditConnectionService).remove(gone.connection, this.next() < 0.5);
    await this.connect();
  }

  #service<T>(type: new (...args: never[]) => T): T {
    return this.tidemark.app.get<T>(type);
  }

  async #anyAccount(status?: string): Promise<string | undefined> {
    const accounts: { id: string; status: string }[] = await this.tidemark
      .em()
      .execute('select id, status from accounts where user_id = ? order by id', [this.client.userId]);
    return this.#pick(accounts.filter((account) => !status || account.status === status))?.id;
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.next() * all.length)];
  }

  #day(): string {
    return `2026-03-${String(1 + Math.floor(this.next() * 14)).padStart(2, '0')}`;
  }

  #amount(): number {
    return Math.floor(this.next() * 10_000) - 5_000;
  }

  #holding() {
    return {
      ...{ externalId: 'H', symbol: 'VT', name: 'World', quantity: '3', price: '100', valueMinor: this.#amount() },
      ...{ currency: 'USD', costBasisMinor: null, cashEquivalent: false },
    };
  }
}

describe('copies by change feed beside random writers', () => {
  let tidemark: TestApp;

  beforeAll(async () => {
    tidemark = await startTestApp({ ROLE: 'api' });
    await guardChanges(tidemark);
  });
  afterAll(() => tidemark.stop());

  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'a copy by change feed beside random writers equals the lists and is never ahead of a commit: seed %i',
    async (seed) => {
      const next = random(seed);
      tidemark.clock.set('2026-03-15T12:00:00Z');
      const client = await createClient(tidemark);
      const household = new Household(tidemark, client, next);
      for (let n = 0; n < 2; n++) await household.connect();
      const copy = new Copy(client);
      const limit = () => 1 + Math.floor(next() * 30);
      const unexpected: unknown[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        let isWriting = true;
        const writes = Array.from({ length: WRITES }, () => household.write());
        const reading = (async () => {
          while (isWriting) await copy.step(limit());
        })();
        for (const outcome of await Promise.allSettled(writes)) {
          if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) unexpected.push(outcome.reason);
        }
        isWriting = false;
        await reading;
        expect(unexpected).toEqual([]);
        expect(JSON.stringify(copy.records)).not.toContain('NEVER COMMITTED');
        await copy.catchUp(limit);
        for (const kind of KINDS)
          expect([round, kind, copy.sorted(kind)]).toEqual([round, kind, await listed(client, kind)]);
        tidemark.clock.set(`2026-03-15T${13 + round}:00:00Z`);
      }
    },
    120_000,
  );
});

describe('copies by change feed beside workers killed with kill -9', () => {
  let tidemark: TestApp;
  let bank: InstantBank;
  const today = new Date().toISOString().slice(0, 10);

  beforeAll(async () => {
    const clock = new StillClock(new Date());
    bank = await startInstantBank(today);
    tidemark = await startTestApp({ ...LOCAL_PROVIDER, ROLE: 'api' }, clock, undefined, PROVIDERS, [APP_SECRET]);
    await guardChanges(tidemark);
  });
  afterAll(async () => {
    await tidemark.stop();
    await bank.server.stop();
  });

  /** Also the sessions of the dead end, and may commit until then. */
  const isGone = async () => {
    const sessions = 'select count(*)::integer as count from pg_stat_activity where application_name = ?';
    const [row]: { count: number }[] = await tidemark.em().execute(sessions, [WORKER]);
    return row!.count === 0;
  };
  const startWorker = () =>
    start('main', [], {
      ...{ DATABASE_URL: tidemark.database.url, APP_SECRET, PORT: '0', ROLE: 'worker', SYNC_CRON: 'off' },
      ...{ ...LOCAL_PROVIDER, PGAPPNAME: WORKER },
    });

  it.each(Array.from({ length: Math.ceil(SEEDS / KILLS_PER_SEED) }, (_, seed) => seed))(
    'a copy by change feed equals the lists whenever a worker was killed: seed %i',
    async (seed) => {
      const next = random(seed);
      const client = await createClient(tidemark);
      const copy = new Copy(client);
      const limit = () => 1 + Math.floor(next() * 30);
      const connect = (user: string) =>
        client.post('/api/v1/connections', { provider: 'us_provider', setup_token: bank.setupToken(user) });
      bank.play((request) => {
        const user = userOf(request);
        const more = Array.from({ length: 200 }, (_, n) => wireTransaction(`${user}-more-${n}`, today, `-${n}.00`));
        return { body: accountsOf(user, today, 3, more.slice(Math.floor(next() * more.length))) };
      });
      for (let kill = 0; kill < KILLS_PER_SEED; kill++) {
        const users = [0, 1, 2].map((n) => `user-${seed}-${kill}-${n}`);
        const connections = await Promise.all(users.map(connect));
        expect(connections.map(({ status }) => status)).toEqual([201, 201, 201]);
        const worker = startWorker();
        try {
          // After one of the questions to the bank or one of the accounts that the feed tells of, and some pages of it.
          const asked = bank.asked() + 1 + Math.floor(next() * 2 * users.length);
          const stored = copy.records.accounts.length + Math.floor(next() * 2) * Math.floor(next() * 3 * users.length);
          await waitFor(async () => {
            await copy.step(limit());
            return bank.asked() >= asked && copy.records.accounts.length >= stored;
          }, 'asking the bank, and storing what it said');
          for (let pages = Math.floor(next() * 20); pages > 0; pages--) await copy.step(limit());
        } finally {
          worker.child.kill('SIGKILL');
          await worker.finished;
        }
        await waitFor(isGone, 'gone');
        await copy.catchUp(limit);
        for (const kind of KINDS)
          expect([kill, kind, copy.sorted(kind)]).toEqual([kill, kind, await listed(client, kind)]);
      }
    },
    300_000,
  );
});

/** The answer to somebody who comes too late. */
function isRefusal(error: unknown): boolean {
  return ['DomainError', 'ConnectionRemovedError', 'SyncedElsewhere'].includes((error as Error).name);
}
