import { freshSetupToken } from '../../sandbox/us-provider/setup-token.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp } from '../support/app.js';
import { readBankFile } from '../support/real-bank/bank-file.js';
import { bankHousehold } from '../support/real-bank/bank-household.js';
import { compareWithBank } from '../support/real-bank/compare.js';
import { fetchServedBalances } from '../support/real-bank/fetch-served.js';
import { serveBank, type ServedBank } from '../support/real-bank/serve-bank.js';
import { ended } from '../support/syncs.js';

const TODAY = '2026-03-15';

describe('balances derived from the records of a real bank', () => {
  const accounts = readBankFile('test/data/bank-1993-1994-sample.csv.gz', TODAY);
  let tidemark: TestApp;
  let bank: ServedBank;

  beforeAll(async () => {
    tidemark = await startTestApp(LOCAL_PROVIDER);
    bank = await serveBank(bankHousehold(accounts, 'CZK', TODAY));
  });
  afterAll(async () => {
    await tidemark.stop();
    bank.stop();
  });

  it('derived balances equal those of a real bank on every day of every account, except its later rounding', async () => {
    const client = await createClient(tidemark);
    const token = freshSetupToken(bank.url, 'healthy');
    const { body: connection } = await client.post('/api/v1/connections', {
      provider: 'us_provider',
      setup_token: token,
    });
    const sync = await ended(client, connection.latest_sync_id);
    expect(sync).toMatchObject({ status: 'succeeded', counts: { accounts: 21, transactions_added: 1405 } });

    const result = compareWithBank(accounts, await fetchServedBalances(tidemark.url, client.key), TODAY);
    expect(result).toMatchObject({ accounts: 21, off: 0 });
    expect(result.exact + result.withinRounding).toBe(result.accountDays);
    expect(result.accountDays).toBeGreaterThan(5_000);
    expect(result.largestRoundingMinor).toBeLessThanOrEqual(70);
  });
});
