import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { createClient, send, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { wireAccount, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('GET /api/v1/accounts/{id}/reconciliation', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => tidemark.clock.set('2026-03-10T12:00:00Z'));

  const salary = wireTransaction('T-1', '2026-03-09', '1000.00');
  const groceries = wireTransaction('T-2', '2026-03-13', '-50.00');

  const onlyAccount = async () => (await client.get('/api/v1/accounts')).body.accounts[0] as { id: string };
  const reconciliation = async (query = '') =>
    (await client.get(`/api/v1/accounts/${(await onlyAccount()).id}/reconciliation${query}`)).body;

  /** One sync a day: what the balance was and what was listed. */
  async function days(...listed: [day: string, balance: string, transactions: object[]][]): Promise<void> {
    let connection: { id: string } | null = null;
    for (const [day, balance, transactions] of listed) {
      tidemark.clock.set(`${day}T12:00:00Z`);
      bank.lists([wireAccount({ balance, transactions })]);
      if (connection) await synced(client, connection.id);
      else connection = await connected(client, bank.token());
    }
  }

  it('uncertain days are stored, and net worth says how many there are', async () => {
    await days(
      ['2026-03-10', '1000.00', [salary]],
      ['2026-03-11', '1000.00', [salary]],
      ['2026-03-12', '987.60', [salary]],
      ['2026-03-13', '937.60', [salary, groceries]],
    );
    const { certainty } = await reconciliation();
    const uncertain = certainty.filter(({ level }: { level: string }) => level !== 'known');
    expect(uncertain.length).toBeGreaterThan(0);
    const stored = await tidemark
      .em()
      .execute('select start_date::text, end_date::text, level, doubt_minor from uncertain_days order by start_date');
    expect(stored.map(({ doubt_minor, ...range }) => ({ ...range, doubt_cents: Number(doubt_minor) }))).toEqual(
      uncertain.map((range: object) => ({ ...range, doubt: undefined })),
    );

    const { warnings } = (await client.get('/api/v1/net_worth')).body;
    expect(warnings).toEqual([
      expect.objectContaining({
        kind: 'estimated',
        message: expect.stringMatching(/^Everyday Checking is estimated on \d+ days? of the sums\.$/),
      }),
    ]);
  });

  it('a day in doubt has the amount by which another explanation differs, and net worth the sum of them', async () => {
    const tea = wireTransaction('T-3', '2026-03-11', '-50.00');
    await days(
      ['2026-03-10', '1000.00', [salary]],
      ['2026-03-11', '950.00', [salary, tea]],
      ['2026-03-12', '937.60', [salary, tea]],
      ['2026-03-13', '937.60', [salary, tea]],
    );
    const { certainty } = await reconciliation();
    expect(certainty.at(-1)).toEqual({
      start_date: '2026-03-12',
      end_date: '2026-03-13',
      level: 'estimated',
      doubt: '$12.40',
      doubt_cents: 1240,
    });
    const { net_worth: points } = (await client.get('/api/v1/net_worth?start_date=2026-03-11')).body;
    expect(points.at(-1)).toMatchObject({
      date: '2026-03-13',
      net_worth: '$937.60',
      lowest: '$937.60',
      lowest_cents: 93760,
      highest: '$950.00',
      highest_cents: 95000,
    });
    // It may have moved the balance the day before.
    expect(points[0]).toMatchObject({ net_worth: '$950.00', lowest: '$937.60', highest: '$950.00' });
  });

  it('balance reports as CSV have the certainty of their day', async () => {
    await days(
      ['2026-03-10', '1000.00', [salary]],
      ['2026-03-13', '950.00', [salary, groceries]],
      ['2026-03-14', '950.00', [salary, groceries]],
      ['2026-03-15', '937.60', [salary, groceries]],
    );
    const { id } = await onlyAccount();
    const { status, body } = await client.get(`/api/v1/accounts/${id}/reconciliation`, { Accept: 'text/csv' });
    expect(status).toBe(200);
    expect(String(body).split('\r\n')).toEqual([
      'observed_at,date,reported,reported_cents,derived,derived_cents,difference,difference_cents,certainty',
      '2026-03-15T12:00:00.000Z,2026-03-15,$937.60,93760,$950.00,95000,-$12.40,-1240,estimated',
      '2026-03-14T12:00:00.000Z,2026-03-14,$950.00,95000,$950.00,95000,$0.00,0,estimated',
      '2026-03-13T12:00:00.000Z,2026-03-13,$950.00,95000,$950.00,95000,$0.00,0,known',
      '2026-03-10T12:00:00.000Z,2026-03-10,"$1,000.00",100000,"$1,000.00",100000,$0.00,0,known',
      '',
    ]);
    const unknown = await client.get(`/api/v1/accounts/${UNKNOWN_ID}/reconciliation`, { Accept: 'text/csv' });
    expect(unknown.status).toBe(404);
  });

  it('a reconciliation has the unreconciled difference with its day, and each report beside its derived balance', async () => {
    await days(
      ['2026-03-10', '1000.00', [salary]],
      ['2026-03-11', '1000.00', [salary]],
      ['2026-03-12', '987.60', [salary]],
      ['2026-03-13', '937.60', [salary, groceries]],
    );
    const text =
      "Since 12 March 2026 the bank's balance is $12.40 lower than its transactions explain. It may still sort itself out.";
    const amount = { amount: '-$12.40', amount_cents: -1_240 };
    expect(await reconciliation()).toEqual({
      account: { id: expect.any(String), name: 'Everyday Checking', account_type: 'depository' },
      currency: 'USD',
      open_difference: { since: '2026-03-12', ...amount, text },
      findings: [{ kind: 'unexplained_open', since: '2026-03-12', until: null, ...amount, text }],
      certainty: expect.any(Array),
      observations: [
        {
          ...{ observed_at: '2026-03-13T12:00:00.000Z', date: '2026-03-13' },
          ...{ reported: '$937.60', reported_cents: 93_760, derived: '$950.00', derived_cents: 95_000 },
          ...{ difference: '-$12.40', difference_cents: -1_240 },
        },
        expect.objectContaining({ date: '2026-03-12', derived_cents: 100_000, difference_cents: -1_240 }),
        expect.objectContaining({ date: '2026-03-11', difference: '$0.00' }),
        expect.objectContaining({ date: '2026-03-10', difference_cents: 0 }),
      ],
      pagination: { page: 1, per_page: 25, total_count: 4, total_pages: 1 },
    });
  });

  it('the certainty of the days is given in ranges that cover the history without a gap', async () => {
    await days(
      ['2026-03-10', '1000.00', [salary]],
      ['2026-03-11', '1000.00', [salary]],
      ['2026-03-13', '950.00', [salary, groceries]],
    );
    const { certainty } = await reconciliation();
    const [start] = certainty;
    let day = start.start_date;
    for (const { start_date, end_date, level } of certainty) {
      expect([start_date, ['known', 'estimated', 'unknown'].includes(level)]).toEqual([day, true]);
      day = addDays(end_date, 1);
    }
    expect(addDays(day, -1)).toBe('2026-03-13');
  });

  it('balance reports are paged, newest first, with the reconciling items on every page', async () => {
    await days(
      ['2026-03-10', '1000.00', [salary]],
      ['2026-03-11', '1000.00', [salary]],
      ['2026-03-12', '987.60', [salary]],
    );
    const second = await reconciliation('?per_page=2&page=2');
    expect(second.observations).toMatchObject([{ date: '2026-03-10' }]);
    expect(second.findings).toHaveLength(1);
    expect(second.pagination).toEqual({ page: 2, per_page: 2, total_count: 3, total_pages: 2 });
    expect((await reconciliation('?page=9')).observations).toEqual([]);
  });

  it('a reconciliation has no items if the bank and the transactions agree', async () => {
    await days(['2026-03-10', '1000.00', [salary]], ['2026-03-13', '950.00', [salary, groceries]]);
    expect(await reconciliation()).toMatchObject({ open_difference: null, findings: [] });
  });

  it('leaves a transaction in a foreign currency out and says so here, and its sync succeeds', async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    const foreign = wireTransaction('T-3', '2026-03-09', '-20.00', { currency: 'EUR' });
    bank.lists([wireAccount({ balance: '1000.00', transactions: [salary, foreign] })]);
    const connection = await connected(client, bank.token());
    const text =
      "1 EUR transaction is listed but not counted: this history is in USD, and nothing in it is exchanged. The bank's balance includes it.";
    expect((await reconciliation()).findings).toEqual([
      { kind: 'foreign_currency', since: null, until: null, amount: null, amount_cents: null, text },
    ]);
    const { body: sync } = await client.get(`/api/v1/syncs/${connection.latest_sync_id}`);
    expect(sync).toMatchObject({ status: 'succeeded', problems: [] });
    const { body } = await client.get('/api/v1/balances?start_date=2026-03-09&end_date=2026-03-09');
    expect(body.balances).toMatchObject([{ start_balance_cents: 0, cash_outflows_cents: 0, balance_cents: 100_000 }]);

    // Only versions of the transaction itself can change that.
    tidemark.clock.set('2026-03-16T12:00:00Z');
    bank.lists([wireAccount({ balance: '1000.00', transactions: [{ ...salary, description: 'Payroll' }, foreign] })]);
    await synced(client, connection.id);
    expect((await reconciliation()).findings).toMatchObject([{ kind: 'foreign_currency', text }]);
  });

  it('a holding in a foreign currency counts as the remaining cash and is named in the reconciliation', async () => {
    const held = { symbol: 'ACME', description: 'Acme', shares: '10', market_value: '700.00', currency: 'USD' };
    const foreign = { symbol: 'EUN', description: 'Europe', shares: '3', market_value: '200.00', currency: 'EUR' };
    bank.lists([wireAccount({ name: 'Brokerage', balance: '1000.00', holdings: [held, foreign] })]);
    await connected(client, bank.token());
    const texts = (await reconciliation()).findings.map(({ text }: { text: string }) => text);
    expect(texts).toEqual([
      'The value before 10 March 2026 is unknown.',
      'Holdings in EUR count as cash: this history is in USD, and nothing in it is exchanged.',
    ]);
    const { body } = await client.get('/api/v1/balances');
    expect(body.balances).toMatchObject([{ cash_balance_cents: 30_000, end_non_cash_balance_cents: 70_000 }]);
  });

  it.each([
    ['https://miles.example/points', 'Tidemark does not support the currency'],
    [null, 'The provider reports no currency'],
  ])(
    'the reconciliation of an account in the unsupported currency %s says why it has no history',
    async (currency, why) => {
      bank.lists([wireAccount({ currency, balance: '48210' })]);
      await connected(client, bank.token());
      const text = `${why} of this account, so there is no balance history.`;
      expect(await reconciliation()).toMatchObject({
        ...{ currency, open_difference: null, observations: [] },
        findings: [{ kind: 'currency_unsupported', text }],
      });
    },
  );

  it('a reconciliation is refused if the amounts overflow, and a rebuild continues with other accounts', async () => {
    await days(['2026-03-10', '1000.00', [salary]]);
    const { id } = await onlyAccount();
    await tidemark.em().execute('update transactions set amount_minor = 3000000000000000 where account_id = ?', [id]);
    const message = 'The amounts of Everyday Checking add up to more than Tidemark can count exactly.';
    for (const refused of [
      await client.get(`/api/v1/accounts/${id}/reconciliation`),
      await client.patch(`/api/v1/accounts/${id}`, { account_type: 'credit_card' }),
    ]) {
      expect([refused.status, refused.body]).toMatchObject([422, { error: 'validation_failed', message }]);
    }
    const rebuilt = await tidemark.app.get(HistoryRebuildService, { strict: false }).run(null);
    expect(rebuilt).toEqual({ accounts: expect.any(Number), failed: 1, balancesWritten: expect.any(Number) });
  });

  it('a reconciliation is refused without the scope and is 404 for unknown or foreign accounts', async () => {
    await days(['2026-03-10', '1000.00', [salary]]);
    const { id } = await onlyAccount();
    const stranger = await createClient(tidemark);
    for (const [who, path] of [
      [client, UNKNOWN_ID],
      [client, 'nonsense'],
      [stranger, id],
    ] as const) {
      const answer = await who.get(`/api/v1/accounts/${path}/reconciliation`);
      expect([answer.status, answer.body.error]).toEqual([404, 'record_not_found']);
    }
    const limited = await createClient(tidemark, { scopes: ['balances:read'] });
    expect((await limited.get(`/api/v1/accounts/${id}/reconciliation`)).status).toBe(403);
    expect((await send(`${tidemark.url}/api/v1/accounts/${id}/reconciliation`)).status).toBe(401);
  });
});
