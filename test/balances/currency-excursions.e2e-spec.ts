import fc from 'fast-check';
import type { SnapshotTransaction } from '../../src/providers/bank-provider.js';
import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import { addDays, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { CoveredDays } from '../../src/platform/time/covered-days.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Copy, KINDS, listed } from '../support/copy.js';
import {
  balance,
  coveredSince,
  createConnection,
  snapshotAccount,
  transaction,
  writeSnapshot,
} from '../support/factories.js';
import { tenthOfExamples } from '../support/tier.js';

const FIRST_DAY = '2026-03-15';

/** What a bank answers on a day. */
interface Answer {
  day: CalendarDate;
  currency?: string;
  /** `null`: it reports none. */
  balanceMinor: number | null;
  rows: readonly SnapshotTransaction[];
  covered?: CoveredDays;
}

describe('a bank that reports another currency for a while', () => {
  let tidemark: TestApp;
  beforeAll(async () => {
    tidemark = await startTestApp({ SIGN_UP: 'open', ROLE: 'api' });
  });
  afterAll(() => tidemark.stop());

  const rebuilt = (accountId: string) => tidemark.app.get(HistoryRebuildService, { strict: false }).run(accountId);

  /** The account of a new person, after the answers. */
  async function told(answers: readonly Answer[]) {
    tidemark.clock.set(`${FIRST_DAY}T12:00:00Z`);
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount();
    const tell = async ({ day, currency = 'USD', balanceMinor, rows, covered = account.covered }: Answer) => {
      tidemark.clock.set(`${day}T12:00:00Z`);
      const { accountId } = await writeSnapshot(tidemark, connection, {
        ...account,
        ...{ currency, covered, balance: balanceMinor === null ? null : balance(balanceMinor) },
        transactions: rows.map((row) => ({ ...row, currency })),
      });
      return accountId;
    };
    let accountId = '';
    for (const answer of answers) accountId = await tell(answer);
    return { client, accountId, tell };
  }

  const databaseNow = async () => {
    const [row] = await tidemark
      .em()
      .execute<{ now: string }[]>(
        `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
      );
    return row!.now;
  };
  const days = async (client: TestClient, query = '') =>
    (await client.get(`/api/v1/balances?per_page=100${query}`)).body.balances as Record<string, unknown>[];
  const summary = async (client: TestClient, query = '') =>
    (await days(client, query)).map((day) => [day['date'], day['currency'], day['balance_cents']]);

  /** All that is derived, without what every account has of its own. */
  async function derived({ client, accountId }: { client: TestClient; accountId: string }) {
    const { body } = await client.get(`/api/v1/accounts/${accountId}/reconciliation?per_page=100`);
    const { findings, certainty, observations } = body;
    const ofItsOwn = new Set(['id', 'account', 'created_at', 'updated_at']);
    const history = (await days(client)).map((day) =>
      Object.fromEntries(Object.entries(day).filter(([name]) => !ofItsOwn.has(name))),
    );
    return { history, findings, certainty, observations };
  }

  const old = [transaction('2026-03-10', -500), transaction('2026-03-12', -700)];
  const late = transaction('2026-03-14', -100);
  const before: Answer = { day: '2026-03-15', balanceMinor: 10_000, rows: old };
  const mistaken: Answer = { day: '2026-03-16', currency: 'JPY', balanceMinor: 15_000, rows: old };
  const after: Answer = { day: '2026-03-17', balanceMinor: 9_900, rows: [...old, late] };

  it.each<[what: string, spells: Answer[]]>([
    ['one answer', [mistaken]],
    ['one answer with a new transaction', [{ ...mistaken, rows: after.rows }]],
    ['one answer without a balance', [{ ...mistaken, balanceMinor: null }]],
    ['one answer without the transactions', [{ ...mistaken, rows: [late] }]],
    ['several answers', [mistaken, { ...mistaken, day: '2026-03-17', balanceMinor: 14_000 }]],
    ['answers in two currencies', [mistaken, { ...mistaken, day: '2026-03-17', currency: 'KRW' }]],
    ['two spells', [mistaken, { ...before, day: '2026-03-17' }, { ...mistaken, day: '2026-03-18' }]],
  ])('a history after a temporary wrong currency equals the history without it: %s', async (_, spell) => {
    const returned = { ...after, day: '2026-03-19' };
    const account = await told([before, ...spell, returned]);
    const plain = await told([before, ...spell.filter(({ currency }) => currency === undefined), returned]);
    const expected = await derived(plain);
    expect(expected.history[0]).toMatchObject({ date: '2026-03-19', currency: 'USD', balance_cents: 9_900 });
    expect(expected.findings.map(({ kind }: { kind: string }) => kind)).not.toContain('transaction_withdrawn');
    expect(await derived(account)).toEqual(expected);
    expect(await rebuilt(account.accountId)).toMatchObject({ balancesWritten: 0 });
  });

  it('a transaction too old to be listed again after a temporary wrong currency still counts as it was listed before', async () => {
    const returned = { ...after, rows: [old[1]!, late], covered: coveredSince('2026-03-11') };
    const plain = await told([before, returned]);
    expect(await derived(await told([before, mistaken, returned]))).toEqual(await derived(plain));
  });

  it('the history in the old currency is kept while it is unknown whether that currency returns', async () => {
    const { client } = await told([before, mistaken, { ...mistaken, day: '2026-03-17' }]);
    const [newest, ...others] = await summary(client);
    expect([newest, others[0]]).toEqual([
      ['2026-03-17', 'JPY', 15_000],
      ['2026-03-16', 'JPY', 15_000],
    ]);
    expect(others.slice(1)).toEqual(await summary((await told([before])).client));
  });

  it('the history in a temporary currency is kept, and the change feed has all of it', async () => {
    const { client, tell } = await told([before]);
    const copy = new Copy(client);
    const follow = async () => {
      await copy.catchUp(() => 3);
      for (const kind of KINDS) expect([kind, copy.sorted(kind)]).toEqual([kind, await listed(client, kind)]);
    };
    const seen: [moment: string, said: unknown][] = [];
    for (const answer of [mistaken, after]) {
      await follow();
      seen.push([await databaseNow(), await summary(client)]);
      await tell(answer);
    }
    await follow();
    for (const [moment, said] of seen) expect(await summary(client, `&as_of=${moment}`)).toEqual(said);
    expect(await days(client, '&currency=JPY')).toEqual([]);
    const { pagination } = (await client.get('/api/v1/balances?currency=USD')).body;
    expect(pagination.total_count).toBe((await days(client)).length);
  });

  it('a rebuild repairs a history that had begun again when the old currency returned', async () => {
    const account = await told([before, mistaken, after]);
    const expected = await derived(account);
    const key = [account.client.userId];
    for (const damage of [
      `update balances set start_cash = end_cash, cash_outflows = 0 where user_id = ? and date >= '2026-03-14'`,
      `update balances set start_cash = 10000, end_cash = 10000 where user_id = ? and date between '2026-03-14' and '2026-03-15'`,
      `update balances set currency = 'JPY', start_cash = 15000, end_cash = 15000 where user_id = ? and date = '2026-03-16'`,
      `insert into balance_spans (user_id, account_id, currency, first_date, last_date)
       select user_id, account_id, 'JPY', '2026-03-16', '2026-03-16' from balance_spans where user_id = ?`,
    ]) {
      await tidemark.em().transactional(async (em) => {
        noteChanges(account.client.userId, { kind: 'accounts' });
        await em.execute(damage, key);
      });
    }
    expect(await derived(account)).not.toEqual(expected);
    expect((await rebuilt(account.accountId)).balancesWritten).toBeGreaterThan(0);
    expect(await derived(account)).toEqual(expected);
    expect(await rebuilt(account.accountId)).toMatchObject({ balancesWritten: 0 });
  });

  it('another currency for more than a month ends the history in the old one', async () => {
    const { client, accountId } = await told([
      before,
      mistaken,
      { ...mistaken, day: '2026-04-17' },
      { ...after, day: '2026-04-18' },
    ]);
    expect((await summary(client)).slice(0, 2)).toEqual([
      ['2026-04-18', 'USD', 9_900],
      ['2026-04-17', 'JPY', 15_000],
    ]);
    expect(await summary(client)).toContainEqual(['2026-03-15', 'USD', 10_000]);
    // How sure the days are concerns the new history alone, also where a range went over the change before.
    const ranges = `from uncertain_days where account_id = ? and '2026-04-18' between start_date + 1 and end_date`;
    await tidemark.em().execute(
      `update uncertain_days set end_date = '2026-04-18' where account_id = ? and
      start_date = (select min(start_date) from uncertain_days where account_id = ?)`,
      [accountId, accountId],
    );
    expect(await tidemark.em().execute(`select 1 ${ranges}`, [accountId])).toHaveLength(1);
    await rebuilt(accountId);
    expect(await tidemark.em().execute(`select 1 ${ranges}`, [accountId])).toEqual([]);
    const { body } = await client.get(`/api/v1/accounts/${accountId}/reconciliation`);
    expect(body.certainty[0].start_date).toBe('2026-04-18');
  });

  it('a redenomination is kept although the bank had reported the new currency by mistake long before', async () => {
    const euros: Answer = { ...mistaken, currency: 'EUR' };
    const { client } = await told([
      ...[before, euros, { ...before, day: '2026-03-17' as const }, { ...before, day: '2026-05-01' as const }],
      ...[
        { ...euros, day: '2026-05-02' as const },
        { ...euros, day: '2026-05-03' as const },
      ],
    ]);
    const currencies = (await summary(client)).map(([day, currency]) => `${String(day)} ${String(currency)}`);
    expect(currencies.slice(0, 3)).toEqual(['2026-05-03 EUR', '2026-05-02 EUR', '2026-05-01 USD']);
    expect(currencies).toContain('2026-03-16 USD');
  });

  it('random temporary currencies leave no trace in any history', async () => {
    const bank = fc.array(
      fc.record({
        isMistaken: fc.boolean(),
        hasBalance: fc.boolean(),
        movedMinor: fc.constantFrom(0, 0, -100, -250, 1_000),
        unlistedMinor: fc.constantFrom(0, 0, 0, 0, -30),
        daysLate: fc.constantFrom(0, 0, 1, 3),
      }),
      { minLength: 3, maxLength: 10 },
    );
    // A late transaction that was first listed in the other currency, found by new examples.
    const usual = { isMistaken: false, hasBalance: false, movedMinor: 0, unlistedMinor: 0, daysLate: 0 };
    const listedLate = [
      usual,
      { ...usual, isMistaken: true, movedMinor: 1_000, daysLate: 3 },
      usual,
      usual,
      { ...usual, movedMinor: 1_000 },
    ];
    await fc.assert(
      fc.asyncProperty(bank, async (steps) => {
        let balanceMinor = 10_000;
        let rows = old;
        const answers = steps.map(({ isMistaken, hasBalance, movedMinor, unlistedMinor, daysLate }, place): Answer => {
          const day = addDays(FIRST_DAY, place);
          balanceMinor += movedMinor + unlistedMinor;
          if (movedMinor !== 0) rows = [...rows, transaction(addDays(day, -daysLate), movedMinor)];
          const isSpell = isMistaken && place > 0 && place < steps.length - 1;
          return isSpell
            ? { day, currency: 'JPY', balanceMinor: hasBalance ? balanceMinor * 150 : null, rows }
            : { day, balanceMinor, rows };
        });
        const plain = answers.filter(({ currency }) => currency === undefined);
        expect(await derived(await told(answers))).toEqual(await derived(await told(plain)));
      }),
      { numRuns: tenthOfExamples(15), examples: [[listedLate]] },
    );
  });
});
