import type { WireAccount } from '../body.js';
import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const MONTH = 'pending=1&start-date=1792540800';
const rowIds = ({ transactions }: WireAccount) => transactions.map(({ id }) => id);

describe('scenarios of the US sandbox with unusual ids', () => {
  it('sandbox scenario shared-transaction-ids gives transactions of several accounts the same ids, stable over days', async () => {
    const booked = 'start-date=1792540800';
    const today = rowIds(await player.firstAccount('shared-transaction-ids', booked));
    const [one, two] = [await allRows('shared-transaction-ids', 0), await allRows('shared-transaction-ids', 1)];
    expect(two.length).toBeGreaterThan(0);
    expect(two.every((id) => /^TRN-\d+$/.test(id))).toBe(true);
    expect(one.slice(0, 3)).toEqual(two.slice(0, 3));
    player.today = '2026-11-22';
    const tomorrow = rowIds(await player.firstAccount('shared-transaction-ids', booked));
    player.today = '2026-11-21';
    expect(tomorrow.slice(0, today.length)).toEqual(today);
  });

  it('scenario duplicate-account of the US sandbox lists the first account twice', async () => {
    const { accounts } = await player.ask('duplicate-account');
    expect(accounts).toHaveLength(7);
    expect(accounts[6]).toEqual(accounts[0]);
  });

  it('sandbox scenario account-readded gives an account and its transactions new ids at the second sync', async () => {
    const before = await player.ask('account-readded', MONTH);
    const after = await player.ask('account-readded', MONTH);
    expect(after.accounts[0]!.id).not.toBe(before.accounts[0]!.id);
    expect(after.accounts[0]!.balance).toBe(before.accounts[0]!.balance);
    expect(rowIds(after.accounts[0]!).filter((id) => rowIds(before.accounts[0]!).includes(id))).toEqual([]);
    expect(after.accounts.slice(1)).toEqual(before.accounts.slice(1));
  });

  it('sandbox scenario ids-with-spaces has account ids that must be URL-encoded', async () => {
    const { id } = await player.firstAccount('ids-with-spaces');
    expect(id).toBe('Everyday Checking (4417)');
    const { accounts } = await player.ask('ids-with-spaces', `account=${encodeURIComponent(id)}`);
    expect(accounts.map((account) => account.id)).toEqual([id]);
  });
});

describe('scenarios of the US sandbox with unusual values', () => {
  it('sandbox scenario loose-types has numbers for strings, strings for numbers, and missing fields', async () => {
    const { accounts } = await player.ask('loose-types', MONTH);
    const [checking, , card] = accounts;
    expect(checking).toMatchObject({ balance: expect.any(Number), 'balance-date': expect.stringMatching(/^\d+$/) });
    expect(checking).not.toHaveProperty('available-balance');
    expect(checking).not.toHaveProperty('holdings');
    expect(new Set(card!.transactions.map(({ pending }) => pending))).toEqual(new Set([0, 1]));
    expect(card!.transactions.every(({ amount }) => typeof amount === 'number')).toBe(true);
  });

  it('sandbox scenario long-decimals has amounts with more decimals than the currency has', async () => {
    const { accounts } = await player.ask('long-decimals', MONTH);
    expect(accounts[0]!.balance).toMatch(/^\d+\.\d{4}$/);
    expect(accounts[5]!.balance).toMatch(/^\d+\.00$/);
  });

  it('sandbox scenario posted-missing has posted transactions without a posting date', async () => {
    const transactions: object[] = (await player.ask('posted-missing', MONTH)).accounts[2]!.transactions;
    const [holds, bookings] = [true, false].map((held) => transactions.filter((row) => 'pending' in row === held));
    expect(holds!.every((row) => 'posted' in row && row.posted === 0)).toBe(true);
    expect(bookings!.every((row) => !('posted' in row) && 'transacted_at' in row)).toBe(true);
    expect(Math.min(holds!.length, bookings!.length)).toBeGreaterThan(0);
  });

  it('sandbox scenario debt-positive reports debts without their sign', async () => {
    const [debts, healthy] = [await player.ask('debt-positive'), await player.ask('healthy')];
    for (const index of [2, 3]) expect(debts.accounts[index]!.balance).toBe(healthy.accounts[index]!.balance.slice(1));
    expect(debts.accounts[0]).toEqual(healthy.accounts[0]);
  });

  it('sandbox scenario cost-per-share reports the cost of one share as the cost basis', async () => {
    const stock = async (scenario: string) => (await player.ask(scenario)).accounts[4]!.holdings[2];
    expect(await stock('healthy')).toMatchObject({ shares: '40.0000', cost_basis: '1300.00', purchase_price: '32.50' });
    expect(await stock('cost-per-share')).toMatchObject({ cost_basis: '32.50', purchase_price: '32.50' });
  });

  it('sandbox scenario holdings-other-names reports holdings with other field names', async () => {
    const [holding] = (await player.ask('holdings-other-names')).accounts[4]!.holdings;
    expect(holding).toMatchObject({ quantity: expect.any(String), value: expect.any(String) });
    for (const usual of ['shares', 'market_value', 'cost_basis']) expect(holding).not.toHaveProperty(usual);
  });

  it('sandbox scenario securities-in-savings has holdings in an account named savings', async () => {
    const { accounts } = await player.ask('securities-in-savings');
    expect(accounts.filter(({ holdings }) => holdings.length > 0).map(({ name }) => name)).toEqual(['Savings (7780)']);
  });

  it('sandbox scenario dates-a-year-off has one transaction far outside the requested range', async () => {
    const days = (await player.firstAccount('dates-a-year-off', 'start-date=1792540800')).transactions.map(
      ({ posted }) => posted,
    );
    expect(days.filter((posted) => posted < 1792540800)).toHaveLength(1);
    expect(days.length).toBeGreaterThan(1);
  });

  it('sandbox scenario currency-url has a URL as a currency', async () => {
    const miles = (await player.ask('currency-url')).accounts.at(-1)!;
    expect(miles).toMatchObject({ name: 'Globetrot Miles', balance: '48210' });
    expect(await (await fetch(miles.currency)).json()).toEqual({ name: 'Globetrot Miles', abbr: 'miles' });
  });

  it.each([
    ['currency-empty', ['', '', '', '', '', '']],
    ['currency-lower-case', ['usd', 'usd', 'usd', 'usd', 'usd', 'jpy']],
  ])('sandbox scenario %s has empty or lower-case currency codes', async (scenario, currencies) => {
    expect((await player.ask(scenario)).accounts.map(({ currency }) => currency)).toEqual(currencies);
  });

  it('scenario markup of the US sandbox has markup and control characters in its texts', async () => {
    const { accounts, errlist } = await player.ask('markup', `version=2&${MONTH}`);
    for (const text of [accounts[0]!.name, accounts[0]!.transactions[0]!.description, errlist![0]!.msg]) {
      expect(text).toContain('<script>');
      expect(text).toContain('\u0000');
    }
  });
});

describe('scenarios of the US sandbox for other servers', () => {
  it('sandbox scenarios only-v1 and only-v2 ignore the requested protocol version', async () => {
    expect(Object.keys(await player.ask('only-v1', 'version=2'))).toEqual(['errors', 'accounts']);
    expect(Object.keys(await player.ask('only-v2'))).toEqual(['errlist', 'connections', 'accounts']);
  });

  it('sandbox scenario mixed-dialects answers in both protocol versions at once', async () => {
    const set = await player.ask('mixed-dialects');
    expect(Object.keys(set).sort()).toEqual(['accounts', 'connections', 'errlist', 'errors']);
    expect(set.accounts[0]).toMatchObject({ conn_id: expect.any(String), org: { name: 'Harborview Credit Union' } });
  });

  it('sandbox scenario organization-half reports either the name or the domain of an organization', async () => {
    const organizations = (await player.ask('organization-half')).accounts.map(({ org }) => org!);
    expect(organizations.map((org) => ['name' in org, 'domain' in org])).toEqual([
      [true, false],
      [false, true],
      [true, false],
      [false, true],
      [true, false],
      [false, true],
    ]);
  });

  it('sandbox scenario undated-recent returns 30 days of transactions if no start date is given', async () => {
    expect((await player.firstAccount('undated-recent')).transactions.length).toBeGreaterThan(5);
    expect((await player.firstAccount('healthy')).transactions).toEqual([]);
  });

  it('scenario huge of the US sandbox adds 10,000 transactions that change no balance', async () => {
    const huge = await player.firstAccount('huge', 'start-date=1791417600');
    const healthy = await player.firstAccount('healthy', 'start-date=1791417600');
    expect(huge.transactions).toHaveLength(healthy.transactions.length + 10_000);
    expect(new Set(rowIds(huge)).size).toBe(huge.transactions.length);
    expect(huge.balance).toBe(healthy.balance);
  });
});

/** Ids of an account's first posted rows. */
async function allRows(scenario: string, index: number): Promise<string[]> {
  return rowIds((await player.ask(scenario, 'start-date=1672531200&end-date=1677628800')).accounts[index]!);
}
