import { ProviderError } from '../../../src/providers/provider-error.js';
import { Secret } from '../../../src/platform/config/secret.js';
import { providerIn } from '../../support/provider-in.js';
import { type ScriptedReply, type ScriptedServer } from '../../support/scripted-server.js';
import { addTo, startFakeThirdProvider, TODAY, TOKEN } from './fake-third-provider.js';
import { thirdProvider } from './third-provider.module.js';

describe('the third provider', () => {
  let server: ScriptedServer;

  beforeEach(async () => (server = await startFakeThirdProvider()));
  afterEach(() => server.stop());

  const provider = () =>
    providerIn(thirdProvider, {
      THIRDPROVIDER_BASE_URL: `${server.url}/v1`,
      PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
    });

  async function snapshot() {
    return (await provider()).fetchSnapshot({
      credential: new Secret(TOKEN),
      today: TODAY,
      historyFrom: '2026-01-01',
      covered: new Map(),
      includePending: true,
      withoutHoldings: new Set(),
      budget: { spend: () => Promise.resolve() },
      renewCredential: () => Promise.resolve(),
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  }

  it('refuses a token that the provider does not know', async () => {
    const refusal = (await provider()).connect(new Secret('tp_aaaaaaaaaaaaaaaa'));
    await expect(refusal).rejects.toMatchObject({ kind: 'token_rejected' });
  });

  it.each<[ScriptedReply, string]>([
    [{ status: 401 }, 'access_revoked'],
    [{ status: 429, headers: { 'Retry-After': '7200' } }, 'rate_limited'],
    [{ status: 501 }, 'network'],
    [{ status: 404 }, 'unexpected_reply'],
    [{ body: '<html>Maintenance</html>' }, 'unexpected_reply'],
    [{ body: { accounts: [{ name: 'without an id' }] } }, 'unexpected_reply'],
  ])('calls %j %s', async (reply, kind) => {
    server.play(reply);
    await expect(snapshot()).rejects.toMatchObject({ kind });
    await expect(snapshot()).rejects.toBeInstanceOf(ProviderError);
  });

  it('translates amounts, days and states of an answer', async () => {
    const { accounts, problems } = await snapshot();
    expect(problems).toEqual([]);
    expect(accounts[0]).toMatchObject({
      externalId: 'A-1',
      name: 'Checking',
      institution: 'Third Bank',
      currency: 'USD',
      balance: { amountMinor: 125_000, date: TODAY },
      suggestedType: 'depository',
      covered: [{ from: '2026-01-01', until: TODAY }],
    });
    expect(accounts[0]!.transactions).toContainEqual({
      externalId: 'A-1-2026-03-14',
      date: '2026-03-14',
      amountMinor: -725,
      currency: 'USD',
      description: 'Coffee',
      merchant: null,
      pending: true,
    });
  });

  it('counts what it cannot read, and reads the rest', async () => {
    server.break(addTo('transactions', { id: 'odd', account_id: 'A-1', date: TODAY, amount: 'much' }));
    const { accounts, problems } = await snapshot();
    expect(accounts[0]!.transactions.length).toBeGreaterThan(0);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'A-1' }]);
  });

  it.each([
    ['1E+13', 'amount_too_large'],
    ['much', 'unexpected_reply'],
    [null, 'data_incomplete'],
  ])('has no balance where it is %j, and says why', async (balance, kind) => {
    server.break(addTo('accounts', { id: 'A-3', name: 'Checking', currency: 'USD', balance }));
    const { accounts, problems } = await snapshot();
    expect(accounts.map((account) => account.balance === null)).toEqual([false, false, true]);
    expect(problems).toMatchObject([{ kind, accountExternalId: 'A-3' }]);
  });

  it('counts a transaction that names no account for each account, of which it may be', async () => {
    server.break(addTo('transactions', { id: 'odd', date: TODAY, amount: '-1.00' }));
    const { accounts } = await snapshot();
    expect(accounts.map(({ unreadableRows }) => unreadableRows)).toEqual([1, 1]);
  });

  it('guesses no currency', async () => {
    server.play((request) => {
      if (!request.path.endsWith('/accounts')) return { body: { transactions: [] } };
      return { body: { accounts: [{ id: 'A-1', name: 'Points', currency: 'POINTS', balance: '7' }] } };
    });
    const { accounts, problems } = await snapshot();
    expect(accounts).toMatchObject([{ currency: 'POINTS', balance: null, unsupportedBalance: '7' }]);
    expect(problems).toMatchObject([{ kind: 'unsupported_currency', accountExternalId: 'A-1' }]);
  });
});
