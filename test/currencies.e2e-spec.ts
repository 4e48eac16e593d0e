import type { TestClient } from './app.js';
import { besideScriptedBank, connected, type ScriptedBank } from './scripted-bank.js';
import { wireAccount, wireTransaction } from './scripted-us-provider.js';
import { ended } from './syncs.js';

describe('an account in another currency', () => {
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ bank, client } = scene));

  async function sync(more: object) {
    bank.lists([wireAccount({ 'available-balance': null, ...more })]);
    const connection = await connected(client, bank.token());
    return ended(client, connection.latest_sync_id);
  }
  const account = async () => (await client.get('/api/v1/accounts')).body.accounts[0];
  const balances = async () => (await client.get('/api/v1/balances')).body.balances;

  it.each([
    ['JPY', '1001', '-99', { balance: '¥1,001', balance_cents: 1_001, cash_outflows: '¥99', cash_outflows_cents: 99 }],
    [
      'KWD',
      '1.234',
      '-0.001',
      { balance: 'KWD 1.234', balance_cents: 1_234, cash_outflows: 'KWD 0.001', cash_outflows_cents: 1 },
    ],
    [
      'BHD',
      '1000.5',
      '-.25',
      { balance: 'BHD 1,000.500', balance_cents: 1_000_500, cash_outflows: 'BHD 0.250', cash_outflows_cents: 250 },
    ],
    [
      'CLF',
      '37.1234',
      '-1',
      { balance: 'CLF 37.1234', balance_cents: 371_234, cash_outflows: 'CLF 1.0000', cash_outflows_cents: 10_000 },
    ],
    ['usd', '1.5', '-1', { balance: '$1.50', balance_cents: 150, cash_outflows: '$1.00', cash_outflows_cents: 100 }],
  ])('counts %s in its own minor units', async (currency, balance, amount, expected) => {
    const transactions = [wireTransaction('T-1', '2026-03-15', amount)];
    expect(await sync({ currency, balance, transactions })).toMatchObject({ status: 'succeeded', problems: [] });
    const code = currency.toUpperCase();
    const { balance: text, balance_cents: minor } = expected;
    expect(await account()).toMatchObject({
      currency: code,
      currency_supported: true,
      balance: text,
      balance_cents: minor,
    });
    expect(await balances()).toMatchObject([{ currency: code, ...expected }]);
  });

  it.each([
    ['an address', 'https://bank.example/rewards/points', 'https://bank.example/rewards/points'],
    ['a word', 'globetrot-miles', 'globetrot-miles'],
    ['a code that is none', 'ZZZ', 'ZZZ'],
    ['gold, which has no minor unit', 'XAU', 'XAU'],
  ])('that is %s is shown, marked as not supported, and has no history', async (_, currency, shown) => {
    const transactions = [wireTransaction('T-1', '2026-03-15', '-5')];
    expect((await sync({ currency, balance: '48210', transactions })).status).toBe('succeeded');
    expect(await account()).toMatchObject({
      ...{ name: 'Everyday Checking', currency: shown, currency_supported: false },
      ...{ balance: null, balance_cents: null, available: null },
    });
    expect(await balances()).toEqual([]);
    expect((await client.patch(`/api/v1/accounts/${(await account()).id}`, { account_type: 'loan' })).status).toBe(200);
  });

  it.each([
    ['empty', ''],
    ['missing', null],
    ['of blanks', '  '],
  ])('that is %s is shown, not guessed, and reported', async (_, currency) => {
    const run = await sync({ currency, transactions: [wireTransaction('T-1', '2026-03-15', '-5')] });
    expect(run).toMatchObject({ status: 'partial', problems: [{ kind: 'data_incomplete' }] });
    expect(run.problems[0].account_id).toBe((await account()).id);
    expect(await account()).toMatchObject({ currency: null, currency_supported: false, balance: null });
    expect(await balances()).toEqual([]);
  });

  it('that becomes known later gets its history then', async () => {
    await sync({ currency: '', balance: '7.00' });
    const { id, connection_id: connectionId } = await account();
    bank.lists([wireAccount({ currency: 'EUR', balance: '7.00' })]);
    const { body } = await client.post(`/api/v1/connections/${connectionId}/sync`);
    await ended(client, body.id);
    expect(await account()).toMatchObject({ id, currency: 'EUR', currency_supported: true, balance: '€7.00' });
    expect(await balances()).toMatchObject([{ currency: 'EUR', balance_cents: 700 }]);
  });
});
