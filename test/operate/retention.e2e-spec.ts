import { isInstalled } from '../support/installed.js';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import pg from 'pg';
import { Account } from '../../src/balances/accounts/account.entity.js';
import { loadLedger } from '../../src/balances/accounts/load-ledger.js';
import { entriesInOrder } from '../../src/balances/engine/reports.js';
import type { SnapshotHolding } from '../../src/providers/bank-provider.js';
import { type SyncProblem, SyncRun } from '../../src/sync/sync-run.entity.js';
import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { RetentionService } from '../../src/operate/retention/retention.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { isOnCitus } from '../support/database.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { tenthOfExamples } from '../support/tier.js';

const NO_ANSWER: SyncProblem = { kind: 'network', message: 'No answer.', accountId: null, accountExternalId: null };
const NOW = '2026-03-15T12:00:00Z';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('nightly retention', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    // Without workers, which would end the open sync at some moment.
    tidemark = await startTestApp({ RETENTION_DAYS: '30', ROLE: 'api' });
  });
  beforeEach(async () => {
    tidemark.clock.set(NOW);
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());

  const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS);

  const night = () => tidemark.app.get(RetentionService, { strict: false }).run();

  describe('retention of syncs', () => {
    async function addRun(connectionId: string | null, queuedAt: Date, more: Partial<SyncRun> = {}): Promise<string> {
      const em = tidemark.em();
      const run = Object.assign(new SyncRun(), {
        ...{
          userId: client.userId,
          id: randomUUID(),
          connectionId,
          queuedAt,
          startedAt: queuedAt,
          finishedAt: queuedAt,
        },
        ...{ trigger: 'schedule', status: 'succeeded', step: 'done', ...more },
      });
      await em.persist(run).flush();
      return run.id;
    }

    const syncs = async () => {
      const { body } = await client.get('/api/v1/syncs?per_page=100');
      return (body.syncs as { id: string }[]).map(({ id }) => id).sort();
    };

    it('retention keeps young and open syncs, and of each connection the newest and the newest finished one', async () => {
      const { id: busy } = await createConnection(tidemark, client.userId);
      const { id: idle } = await createConnection(tidemark, client.userId);
      const { id: troubled } = await createConnection(tidemark, client.userId);
      const kept = [
        await addRun(busy, daysAgo(29)),
        await addRun(idle, daysAgo(400)),
        await addRun(null, daysAgo(10)),
        await addRun(troubled, daysAgo(900), { problems: [NO_ANSWER] }),
        await addRun(troubled, daysAgo(31), { status: 'queued', finishedAt: null, startedAt: null }),
      ];
      for (let index = 0; index < 19; index++) kept.push(await addRun(busy, daysAgo(28 - index)));
      for (let index = 0; index < 19; index++) {
        kept.push(await addRun(troubled, daysAgo(60 - index), { status: 'cancelled' }));
      }
      await addRun(busy, daysAgo(31));
      await addRun(null, daysAgo(31));
      await addRun(troubled, daysAgo(901));
      expect(await night()).toMatchObject({ syncs: 3 });
      expect(await syncs()).toEqual(kept.sort());
      expect(await night()).toMatchObject({ syncs: 0 });
    });

    it('retention locks syncs in the same order as the deletion of a user', async () => {
      const [last, first] = ['ffffffff', '00000000'].map((begin) => `${begin}${randomUUID().slice(8)}`);
      for (const id of [last!, first!]) await addRun(null, daysAgo(40), { id });
      const editor = new pg.Client(tidemark.database.url);
      await editor.connect();
      afterThisTest(() => editor.end());
      const lock = (id?: string) =>
        editor.query('select 1 from sync_runs where user_id = $1 and id = $2 for update', [client.userId, id]);
      await editor.query('begin');
      await lock(first);
      const pruned = night();
      await sessionWaitsForLock(tidemark);
      await lock(last);
      await editor.query('commit');
      expect(await pruned).toMatchObject({ syncs: 2 });
    });

    it('retention deletes more syncs than one transaction holds, also if PostgreSQL estimates few rows', async () => {
      await addRun(null, daysAgo(1));
      await tidemark.em().execute('analyze sync_runs');
      client = await createClient(tidemark);
      const { id } = await createConnection(tidemark, client.userId);
      await tidemark.em().execute(
        `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
         select ?, gen_random_uuid(), ?, 'schedule', 'succeeded', 'done', ?::timestamptz - n * interval '6 hours'
         from generate_series(1, 2500) n`,
        [client.userId, id, NOW],
      );
      // 120 are younger than 30 days.
      expect(await night()).toMatchObject({ syncs: 2500 - 120 });
    });
  });

  it('retention of API keys keeps those that are valid or were until recently', async () => {
    await tidemark.em().execute(
      `insert into api_keys (user_id, id, name, scopes, key_hash, hint, expires_at, revoked_at)
       select ?::uuid, gen_random_uuid(), name, '{}', '', '', ?::timestamptz + expires, ?::timestamptz + revoked
       from (values
         ('revoked long ago', null, interval '-31 days'), ('expired long ago', interval '-31 days', null),
         ('revoked', null, interval '-29 days'), ('expired', interval '-1 day', null), ('good', null, null)
       ) key (name, expires, revoked)`,
      [client.userId, NOW, NOW],
    );
    expect(await night()).toMatchObject({ api_keys: 2 });
    const left: { name: string }[] = await tidemark
      .em()
      .execute(`select name from api_keys where user_id = ? order by 1`, [client.userId]);
    expect(left.map(({ name }) => name)).toEqual(['expired', 'good', 'revoked', 'test']);
  });

  describe('retention of repeated balance reports', () => {
    const stored = async () => {
      const [row] = await tidemark
        .em()
        .execute<{ count: number }[]>(`select count(*)::integer as count from observations where user_id = ?`, [
          client.userId,
        ]);
      return row!.count;
    };

    async function facts(accountId: string) {
      const em = tidemark.em();
      const account = await em.findOneOrFail(Account, { userId: client.userId, id: accountId });
      const { entries, ...others } = await loadLedger(em, account, 30_000);
      // PostgreSQL groups them as it likes.
      return { ...others, entries: entriesInOrder(entries) };
    }

    const holding = (quantity: string): SnapshotHolding => ({
      ...{ externalId: 'ACME', symbol: 'ACME', name: 'Acme', quantity, price: '10', valueMinor: 1000 },
      ...{ currency: 'USD', costBasisMinor: null, cashEquivalent: false },
    });

    interface Told {
      hours: number;
      balanceMinor: number;
      availableMinor: number | null;
      dated: boolean;
      held: number | null;
      quantity: string | null;
      posted: boolean;
    }

    /** Few different figures, each told several times. */
    const told = fc
      .array(
        fc.tuple(
          fc.integer({ min: 1, max: 9 }),
          fc.record<Told>({
            hours: fc.constantFrom(6, 24, 24, 24, 72),
            balanceMinor: fc.constantFrom(100_00, 100_00, 100_00, 50_00),
            availableMinor: fc.constantFrom(null, null, null, null, 90_00),
            dated: fc.constantFrom(false, false, false, true),
            held: fc.constantFrom(null, null, null, -5_00),
            quantity: fc.constantFrom('1', '1', '1', '2', null),
            posted: fc.constantFrom(false, false, false, true),
          }),
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((reports) => reports.flatMap(([times, report]) => Array<Told>(times).fill(report)));

    async function tell(reports: readonly Told[], isPortfolio: boolean): Promise<string> {
      const connection = await createConnection(tidemark, client.userId);
      const account = snapshotAccount(isPortfolio ? { suggestedType: 'investment' } : {});
      let at = daysAgo(80).getTime();
      let accountId = '';
      const posted = [];
      for (const report of reports) {
        at += report.hours * HOUR_MS;
        tidemark.clock.set(new Date(at).toISOString());
        const day = tidemark.clock.now().toISOString().slice(0, 10);
        if (report.posted) posted.push(transaction(day, -50_00));
        const held = report.held === null ? [] : [transaction(day, report.held, { pending: true, externalId: 'HOLD' })];
        const items = report.quantity === null ? [] : [holding(report.quantity)];
        const write = await writeSnapshot(tidemark, connection, {
          ...account,
          balance: {
            ...balance(report.balanceMinor)!,
            availableMinor: report.availableMinor,
            date: report.dated ? day : null,
          },
          transactions: [...posted, ...held],
          ...(isPortfolio && { holdings: { status: 'available', items, total: null } }),
        });
        accountId = write.accountId;
      }
      return accountId;
    }

    it('retention keeps every report that a history is derived from, also in the following nights', async () => {
      let folded = 0;
      await fc.assert(
        fc.asyncProperty(told, fc.boolean(), fc.nat(60), async (reports, isPortfolio, age) => {
          client = await createClient(tidemark);
          const accountId = await tell(reports, isPortfolio);
          const before = await facts(accountId);
          const reconciliation = () => client.get(`/api/v1/accounts/${accountId}/reconciliation?per_page=100`);
          tidemark.clock.set(NOW);
          const answer = await reconciliation();
          const rows = await stored();
          for (const later of [age, age + 7, age + 60]) {
            tidemark.clock.set(daysAgo(-later).toISOString());
            await night();
            expect(await facts(accountId)).toEqual(before);
          }
          folded += rows - (await stored());
          tidemark.clock.set(NOW);
          expect((await reconciliation()).body).toEqual(answer.body);
        }),
        { numRuns: tenthOfExamples(20) },
      );
      expect(folded).toBeGreaterThan(0);
    });

    it('retention deletes repeated reports of an unchanged balance and changes nothing that the lists show', async () => {
      const same = {
        hours: 24,
        balanceMinor: 1,
        availableMinor: null,
        dated: true,
        held: null,
        quantity: '1',
        posted: false,
      };
      const accountId = await tell(Array<Told>(30).fill(same), true);
      tidemark.clock.set(NOW);
      const rebuild = () => tidemark.app.get(HistoryRebuildService, { strict: false }).run(accountId);
      await rebuild();
      tidemark.clock.set(daysAgo(-60).toISOString());
      const lists = ['/api/v1/holdings', '/api/v1/accounts', '/api/v1/balances?per_page=100'];
      const before = await Promise.all(lists.map((list) => client.get(list)));
      expect(await night()).toMatchObject({ repeated_reports: 27 });
      // The first and the last of those that are alike, and the newest of all.
      expect(await stored()).toBe(3);
      const after = await Promise.all(lists.map((list) => client.get(list)));
      expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
      expect((await facts(accountId)).observations).toHaveLength(30);
      tidemark.clock.set(NOW);
      expect(await rebuild()).toEqual({ accounts: 1, failed: 0, balancesWritten: 0 });
    });

    it('retention skips the reports of an account that is being written until another night', async () => {
      const same = {
        hours: 24,
        balanceMinor: 1,
        availableMinor: null,
        dated: true,
        held: null,
        quantity: '1',
        posted: false,
      };
      const accountId = await tell(Array<Told>(10).fill(same), false);
      tidemark.clock.set(daysAgo(-60).toISOString());
      const writer = new pg.Client(tidemark.database.url);
      await writer.connect();
      afterThisTest(() => writer.end());
      await writer.query('begin');
      await writer.query('select 1 from accounts where user_id = $1 and id = $2 for update', [
        client.userId,
        accountId,
      ]);
      expect(await night()).toMatchObject({ repeated_reports: 0 });
      await writer.query('rollback');
      expect(await night()).toMatchObject({ repeated_reports: 7 });
    });
  });

  it('retention deletes expired sessions and invitations and keeps recently expired ones', async () => {
    for (const age of ['31 days', '1 day']) {
      await tidemark.em().execute(
        `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
         select ?, ?::text::bytea, at, at, at from (select ?::timestamptz - ?::interval as at) age`,
        [client.userId, age, NOW, age],
      );
      await tidemark
        .em()
        .execute(
          `insert into invitations (user_id, token_hash, expires_at) values (?, ?::text::bytea, ?::timestamptz - ?::interval)`,
          [client.userId, age, NOW, age],
        );
    }
    expect(await night()).toMatchObject({ sessions: 1, invitations: 1 });
  });

  it('docs/use/operations.md says for every table what retention deletes or why it stays', async () => {
    const text = readFileSync('docs/use/operations.md', 'utf8');
    const section = text.slice(text.indexOf('## Retention'), text.indexOf('## Doctor'));
    const documented = [...section.matchAll(/^\| `(\w+)` *\|[^|]+\|$/gm)].map(([, name]) => name);
    const tables: { name: string }[] = await tidemark.em().execute(
      `select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name collate "C"`,
    );
    const ofModules = {
      webhooks: /^webhook_/,
      imports: /^import(s|_(parts|files|layouts))$/,
      rates: /^exchange_rates$/,
    };
    const ofOthers = (name = '') =>
      Object.entries(ofModules).some(([module, tables]) => tables.test(name) && !isInstalled(module));
    expect(documented.filter((name) => !ofOthers(name))).toEqual(tables.map(({ name }) => name));
  });

  it('finished jobs are deleted by the queue after a day, not by retention', async () => {
    const [queue] = await tidemark
      .em()
      .execute<{ days: number }[]>(`select deletion_seconds / 86400.0 as days from pgboss.queue where name = 'sync'`);
    expect(Number(queue!.days)).toBe(1);
  });

  // Citus has no triggers.
  (isOnCitus ? it.skip : it)('goes on after the rows of one person that cannot be removed, and says so', async () => {
    const { id } = await createConnection(tidemark, client.userId);
    const spoilt = await createClient(tidemark);
    const { id: theirs } = await createConnection(tidemark, spoilt.userId);
    const old = `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
      select ?, gen_random_uuid(), ?, 'schedule', 'failed', 'failed', ?::timestamptz - n * interval '40 days'
      from generate_series(1, 21) n`;
    await tidemark.em().execute(old, [client.userId, id, NOW]);
    await tidemark.em().execute(old, [spoilt.userId, theirs, NOW]);
    await tidemark.em().execute(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before delete on sync_runs for each row when (old.user_id = '${spoilt.userId}')
       execute function refuse()`,
    );
    afterThisTest(() => tidemark.em().execute(`drop function refuse() cascade`));
    await expect(night()).rejects.toThrow('no');
    const left: { user_id: string; count: number }[] = await tidemark
      .em()
      .execute(`select user_id, count(*)::integer as count from sync_runs where connection_id in (?, ?) group by 1`, [
        id,
        theirs,
      ]);
    expect(Object.fromEntries(left.map(({ user_id, count }) => [user_id, count]))).toEqual({
      [client.userId]: 20,
      [spoilt.userId]: 21,
    });
  });
});
