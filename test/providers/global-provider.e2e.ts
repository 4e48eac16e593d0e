import { SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import type { TestAnswer, TestApp, TestClient } from '../support/app.js';
import { besideGlobalProvider } from '../support/beside-global-provider.js';
import {
  API_KEY,
  type FakeAccount,
  globalProviderScript,
  isFor,
  wireAccount,
  wireBalance,
  wireHold,
  wireHolding,
  wireHoldings,
  wireTransaction,
} from '../support/scripted-global-provider.js';
import type { Fault, ScriptedServer } from '../support/scripted-server.js';
import { ended, synced } from '../support/syncs.js';

const CHECKING: FakeAccount = {
  wire: wireAccount(),
  balance: wireBalance(1432.6),
  transactions: [
    wireHold('2026-03-14', -2.3),
    wireHold('2026-03-14', -2.3),
    wireTransaction('T-1', '2026-03-12', -54.9),
    wireTransaction('T-2', '2026-02-27', 2100, { merchant: 'SEPA VIREMENT\nREF 77120', description: 'undefined' }),
  ],
};
/** In a currency of its own: shown, and not counted in the account's. */
const ABROAD = wireTransaction('T-3', '2026-02-20', -18.4, {
  ...{ currency: 'CHF', merchant: null, description: 'PAIEMENT LAUSANNE' },
});
const BROKERAGE: FakeAccount = {
  wire: wireAccount({ id: 20977, name: 'Self-directed', provider: 'snaptrade', currency: 'CAD' }),
  balance: wireBalance(3187.41, 'CAD'),
  holdings: wireHoldings(
    [
      wireHolding({ currency: 'CAD' }),
      wireHolding({
        ...{ security: { name: 'Lakeside Tech', tickerSymbol: 'LKTC' }, currency: 'USD', raw: {} },
        ...{ quantity: 3, price: 210.15, value: 630.45 },
      }),
    ],
    3187.41,
    'CAD',
  ),
};

describe('connecting and syncing the global provider', () => {
  let server: ScriptedServer;
  let tidemark: TestApp;
  let client: TestClient;

  besideGlobalProvider((scene) => ({ server, tidemark, client } = scene), { GLOBALPROVIDER_INCLUDE_PENDING: '1' });

  function serve(accounts: FakeAccount[], fault?: Fault): void {
    server.play(globalProviderScript(accounts, fault));
  }

  const body = (more: object = {}) => ({ provider: 'global_provider', api_key: API_KEY, ...more });

  async function connect(): Promise<{ connection: TestAnswer['body']; sync: TestAnswer['body'] }> {
    const { status, body: connection } = await client.post('/api/v1/connections', body());
    expect(status).toBe(201);
    return { connection, sync: await ended(client, connection.latest_sync_id) };
  }

  async function syncAgain({ id }: { id: string }) {
    return synced(client, id);
  }

  const accounts = async () => (await client.get('/api/v1/accounts')).body.accounts;
  const transactions = async (query = '') => (await client.get(`/api/v1/transactions${query}`)).body.transactions;

  it('the first sync after connecting the global provider stores accounts, balances, transactions and holdings', async () => {
    serve([{ ...CHECKING, transactions: [...CHECKING.transactions!, ABROAD] }, BROKERAGE]);
    const { connection, sync } = await connect();
    expect(connection).toMatchObject({ provider: 'global_provider', name: 'Banks worldwide', include_pending: true });
    expect(JSON.stringify(connection)).not.toContain(API_KEY);
    const counts = { accounts: 2, transactions_added: 5 };
    expect(sync).toMatchObject({ status: 'succeeded', problems: [], counts });

    expect(await accounts()).toMatchObject([
      {
        ...{ name: 'Compte courant', institution: 'Banque du Lac', account_type: 'depository', currency: 'EUR' },
        ...{ balance: '€1,432.60', balance_cents: 143_260, provider: 'global_provider', holdings_supported: false },
      },
      { name: 'Self-directed', account_type: 'investment', currency: 'CAD', holdings_supported: true },
    ]);
    expect(await transactions()).toMatchObject([
      { date: '2026-03-14', amount_cents: -230, pending: true, merchant: 'Metro Ville' },
      { date: '2026-03-14', amount_cents: -230, pending: true },
      { date: '2026-03-12', amount_cents: -5_490, pending: false, description: 'CB EPICERIE VERTE 0403' },
      { date: '2026-02-27', amount_cents: 210_000, merchant: 'SEPA VIREMENT REF 77120' },
      { date: '2026-02-20', amount_cents: -1_840, currency: 'CHF', merchant: null },
    ]);
    const { body: holdings } = await client.get('/api/v1/holdings');
    expect(holdings.holdings).toMatchObject([
      { name: 'Maple Dividend ETF', currency: 'CAD', quantity: '42.5', price: '31.2', value_cents: 132_600 },
      { name: 'Lakeside Tech', symbol: 'LKTC', currency: 'USD', quantity: '3', price: '210.15', value_cents: 63_045 },
    ]);
    expect(holdings.totals).toMatchObject([{ currency: 'CAD' }, { currency: 'USD' }]);
    const { body: days } = await client.get('/api/v1/balances?start_date=2026-03-15&currency=EUR');
    expect(days.balances).toMatchObject([{ end_balance_cents: 143_260, cash_outflows_cents: 0 }]);
  });

  it('a later sync without changes makes fewer requests, writes nothing and skips unavailable holdings', async () => {
    serve([CHECKING]);
    const { connection } = await connect();
    tidemark.clock.set('2026-03-15T18:00:00Z');
    const asked = server.requests.length;
    const sync = await syncAgain(connection);
    expect(sync.counts).toMatchObject({ transactions_added: 0, transactions_updated: 0, balances_written: 0 });
    const requests = server.requests.slice(asked);
    expect(requests.filter(isFor('transactions')).map(({ query }) => query.get('from'))).toEqual(['2026-02-12']);
    // A person who asks wants to know whether that has changed.
    expect(requests.filter(isFor('holdings'))).toHaveLength(1);
  });

  it('unavailable holdings are not requested for a month, and are stored once they are available', async () => {
    serve([CHECKING]);
    const { connection } = await connect();
    const onSchedule = async (at: string) => {
      tidemark.clock.set(at);
      const asked = server.requests.length;
      const runs = tidemark.app.get(SyncRunsService);
      await ended(client, (await runs.request(client.userId, connection.id, 'schedule')).id);
      return server.requests.slice(asked).filter(isFor('holdings')).length;
    };
    expect(await onSchedule('2026-03-20T12:00:00Z')).toBe(0);
    expect(await accounts()).toMatchObject([{ holdings_supported: false }]);
    serve([{ ...CHECKING, holdings: wireHoldings([wireHolding()]) }]);
    expect(await onSchedule('2026-04-13T12:00:00Z')).toBe(0);
    expect(await onSchedule('2026-04-14T12:00:00Z')).toBe(1);
    expect(await accounts()).toMatchObject([{ holdings_supported: true }]);
  });

  it('a sync is partial when one account fails, and the other account is complete', async () => {
    const isBroken: Fault = (reply, request) =>
      isFor('transactions', 20977)(request) ? { status: 403, body: { error: 'Forbidden', message: '' } } : reply;
    serve([CHECKING, BROKERAGE], isBroken);
    const { sync } = await connect();
    const [checking, brokerage] = await accounts();
    expect(sync).toMatchObject({
      status: 'partial',
      problems: [
        {
          kind: 'account_failed',
          account_id: brokerage.id,
          message: expect.stringMatching(/The transactions were not updated\.$/),
        },
      ],
    });
    expect(checking).toMatchObject({ balance_cents: 143_260 });
    expect(brokerage).toMatchObject({ balance_cents: 318_741, holdings_supported: true });
  });

  it('an account keeps balance, currency and transactions when a later sync brings neither', async () => {
    serve([CHECKING]);
    const { connection } = await connect();
    const before = await accounts();
    tidemark.clock.set('2026-03-16T12:00:00Z');
    serve([{ wire: wireAccount({ currency: undefined }), balance: { balance: null } }]);
    expect(await syncAgain(connection)).toMatchObject({ status: 'partial', problems: [{ kind: 'data_incomplete' }] });
    expect(await accounts()).toMatchObject([{ balance_cents: 143_260, currency: 'EUR', id: before[0].id }]);
    serve([], () => ({ body: { accounts: [] } }));
    expect(await syncAgain(connection)).toMatchObject({ status: 'failed', problems: [{ kind: 'data_incomplete' }] });
    expect(await accounts()).toHaveLength(1);
    expect(await transactions('?pending=false')).toHaveLength(2);
  });

  it.each([
    ['fails', {}, { status: 403, body: { error: 'Forbidden', message: '' } }],
    ['comes without a currency', {}, { body: wireBalance(1500, null) }],
    ['is not asked for, since the account is disconnected,', { status: 'DISCONNECTED' }, {}],
  ])(
    'the currency known only from a balance is kept when the balance %s and all new transactions are foreign',
    async (_, more, reply) => {
      serve([CHECKING]);
      const { connection } = await connect();
      const before = await accounts();
      expect(before).toMatchObject([{ currency: 'EUR', balance_cents: 143_260 }]);
      tidemark.clock.set('2026-06-30T12:00:00Z');
      const abroad = wireTransaction('T-4', '2026-06-29', -18.4, { currency: 'CHF' });
      const isBalance = isFor('balance');
      serve([{ wire: wireAccount(more), transactions: [abroad] }], (usual, request) =>
        isBalance(request) ? reply : usual,
      );
      await syncAgain(connection);
      expect(await accounts()).toMatchObject([{ id: before[0].id, currency: 'EUR' }]);
      const { body: days } = await client.get('/api/v1/balances?start_date=2026-03-15&end_date=2026-03-15');
      expect(days.balances).toMatchObject([{ currency: 'EUR', end_balance_cents: 143_260 }]);
    },
  );

  it('every transaction is stored once although all ids differ in every answer', async () => {
    const rows = (mint: string) =>
      ['2026-03-12', '2026-03-12', '2026-03-01'].map((day, index) => wireTransaction(`${mint}-${index}`, day, -9));
    serve([{ wire: wireAccount(), transactions: rows('first') }]);
    const { connection } = await connect();
    const before = await transactions();
    serve([{ wire: wireAccount(), transactions: rows('second').toReversed() }]);
    expect(await syncAgain(connection)).toMatchObject({ counts: { transactions_added: 0, transactions_updated: 0 } });
    expect(await transactions()).toEqual(before);
  });

  it.each([
    ['a character that no database stores', 'snap\u0000trade'],
    ['megabytes', 's'.repeat(2_000_000)],
  ])('holdings are stored although their upstream provider is named with %s', async (_, upstream) => {
    serve([{ ...BROKERAGE, holdings: wireHoldings([wireHolding({ raw: { [upstream]: { id: 'pos-1' } } })]) }]);
    const { sync } = await connect();
    expect(sync).toMatchObject({ status: 'succeeded', counts: { accounts: 1 } });
    const { body } = await client.get('/api/v1/holdings');
    expect(body.holdings).toMatchObject([{ name: 'Maple Dividend ETF', value_cents: 132_600 }]);
  });

  it('a connection is up to date although one of its accounts has an unsupported currency', async () => {
    const points = { wire: wireAccount({ currency: 'POINTS' }), balance: wireBalance(48_210, 'POINTS') };
    serve([{ ...points, transactions: [wireTransaction('T-1', '2026-03-12', 100, { currency: 'POINTS' })] }]);
    const { connection, sync } = await connect();
    expect(sync.problems).toMatchObject([{ kind: 'unsupported_currency' }]);
    tidemark.clock.set('2026-03-18T12:00:00Z');
    await syncAgain(connection);
    const { body } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(body.staleness).toEqual({ level: 'fresh', since: '2026-03-18', message: null });
  });

  it('an account has its whole history, however old, once its currency becomes supported', async () => {
    const row = wireTransaction('T-1', '2026-03-12', -54.9);
    const inCurrency = (currency: string) => ({
      ...{ wire: wireAccount({ currency }), balance: wireBalance(1500, currency) },
      ...{ transactions: [row] },
    });
    serve([inCurrency('N/A')]);
    const { connection } = await connect();
    // By then its history is not requested again because it is young.
    tidemark.clock.set('2026-06-10T12:00:00Z');
    await syncAgain(connection);
    serve([inCurrency('EUR')]);
    for (const day of ['2026-06-11', '2026-06-12']) {
      tidemark.clock.set(`${day}T12:00:00Z`);
      await syncAgain(connection);
    }
    expect(await transactions()).toMatchObject([{ date: '2026-03-12', amount_cents: -5490 }]);
    const asked = server.requests.length;
    tidemark.clock.set('2026-06-13T12:00:00Z');
    await syncAgain(connection);
    const windows = server.requests.slice(asked).filter(isFor('transactions'));
    expect(windows.map(({ query }) => query.get('from'))).toEqual(['2026-05-13']);
  });

  it('a connection needs attention when its key is refused, and syncs again when the key is accepted again', async () => {
    serve([CHECKING]);
    const { connection } = await connect();
    for (const status of [401, 403]) {
      serve([CHECKING], () => ({ status, body: { error: 'Unauthorized', message: 'No.' } }));
      expect(await syncAgain(connection)).toMatchObject({ status: 'failed', problems: [{ kind: 'access_revoked' }] });
      expect((await client.get(`/api/v1/connections/${connection.id}`)).body.status).toBe('attention_required');
      expect(await accounts()).toMatchObject([{ balance_cents: 143_260 }]);
      serve([CHECKING]);
      expect(await syncAgain(connection)).toMatchObject({ status: 'succeeded' });
    }
  });

  it('an API key of the provider that is connected already is refused, also with spaces around it', async () => {
    serve([CHECKING]);
    await connect();
    const again = await client.post('/api/v1/connections', body({ api_key: ` \n${API_KEY}\r\n` }));
    expect([again.status, again.body.error]).toEqual([409, 'conflict']);
    expect(JSON.stringify(again.body)).not.toContain(API_KEY);
  });

  it('an API key that the provider does not accept is refused with 502, and nothing is stored', async () => {
    serve([CHECKING]);
    const { status, body: refused } = await client.post('/api/v1/connections', body({ api_key: 'wrong-key' }));
    expect([status, refused.error, refused.details]).toEqual([502, 'provider_error', { kind: 'token_rejected' }]);
    expect(JSON.stringify(refused)).not.toContain('wrong-key');
    expect((await client.get('/api/v1/connections')).body.connections).toEqual([]);
  });

  it('the response says how long the provider limits requests', async () => {
    server.play({ status: 429, headers: { 'Retry-After': '120' } });
    const refused = await client.post('/api/v1/connections', body());
    expect([refused.status, refused.body.details]).toEqual([502, { kind: 'rate_limited' }]);
    expect(refused.headers.get('retry-after')).toBe('120');
  });

  it.each([
    ['nothing', undefined, /^api_key must not be empty/],
    ['blanks', ' \n ', /^api_key must not be empty/],
    ['a sentence', 'Where is my key?', /^api_key has spaces/],
  ])('%s as an API key is refused with 422 without a request to the provider', async (_, apiKey, problem) => {
    const asked = server.requests.length;
    const answer = await client.post('/api/v1/connections', body({ api_key: apiKey }));
    expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
    expect(answer.body.errors[0]).toMatch(problem);
    expect(server.requests).toHaveLength(asked);
  });
});
