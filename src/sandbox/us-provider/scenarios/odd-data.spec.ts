import type { WireAccount } from '../body.js';
import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const MONTH = 'pending=1&start-date=1792540800';
const rowIds = ({ transactions }: WireAccount) => transactions.map(({ id }) => id);

describe('ids that are less than one would like', () => {
  it('shared-transaction-ids: are the same in several accounts, and stay as days go by', async () => {
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

  it('duplicate-account: come twice in one answer', async () => {
    const { accounts } = await player.ask('duplicate-account');
    expect(accounts).toHaveLength(7);
    expect(accounts[6]).toEqual(accounts[0]);
  });

  it('account-readded: are new for the same money at the second sync', async () => {
    const before = await player.ask('account-readded', MONTH);
    const after = await player.ask('account-readded', MONTH);
    expect(after.accounts[0]!.id).not.toBe(before.accounts[0]!.id);
    expect(after.accounts[0]!.balance).toBe(before.accounts[0]!.balance);
    expect(rowIds(after.accounts[0]!).filter((id) => rowIds(before.accounts[0]!).includes(id))).toEqual([]);
    expect(after.accounts.slice(1)).toEqual(before.accounts.slice(1));
  });

  it('ids-with-spaces: must be encoded to ask for one', async () => {
    const { id } = await player.firstAccount('ids-with-spaces');
    expect(id).toBe('Everyday Checking (4417)');
    const { accounts } = await player.ask('ids-with-spaces', `account=${encodeURIComponent(id)}`);
    expect(accounts.map((account) => account.id)).toEqual([id]);
  });
});

describe('values that other servers were seen to send', () => {
  it('loose-types: numbers for texts, texts for numbers, and gaps', async () => {
    const { accounts } = await player.ask('loose-types', MONTH);
    const [checking, , card] = accounts;
    expect(checking).toMatchObject({ balance: expect.any(Number), 'balance-date': expect.stringMatching(/^\d+$/) });
    expect(checking).not.toHaveProperty('available-balance');
    expect(checking).not.toHaveProperty('holdings');
    expect(new Set(card!.transactions.map(({ pending }) => pending))).toEqual(new Set([0, 1]));
    expect(card!.transactions.every(({ amount }) => typeof amount === 'number')).toBe(true);
  });

  it('long-decimals: more decimals than the currency has', async () => {
    const { accounts } = await player.ask('long-decimals', MONTH);
    expect(accounts[0]!.balance).toMatch(/^\d+\.\d{4}$/);
    expect(accounts[5]!.balance).toMatch(/^\d+\.00$/);
  });

  it('posted-missing: posted transactions without a posting date', async () => {
    const transactions: object[] = (await player.ask('posted-missing', MONTH)).accounts[2]!.transactions;
    const [holds, bookings] = [true, false].map((held) => transactions.filter((row) => 'pending' in row === held));
    expect(holds!.every((row) => 'posted' in row && row.posted === 0)).toBe(true);
    expect(bookings!.every((row) => !('posted' in row) && 'transacted_at' in row)).toBe(true);
    expect(Math.min(holds!.length, bookings!.length)).toBeGreaterThan(0);
  });

  it('debt-positive: what is owed without its sign', async () => {
    const [debts, healthy] = [await player.ask('debt-positive'), await player.ask('healthy')];
    for (const index of [2, 3]) expect(debts.accounts[index]!.balance).toBe(healthy.accounts[index]!.balance.slice(1));
    expect(debts.accounts[0]).toEqual(healthy.accounts[0]);
  });

  it('cost-per-share: the cost of one share for that of all', async () => {
    const stock = async (scenario: string) => (await player.ask(scenario)).accounts[4]!.holdings[2];
    expect(await stock('healthy')).toMatchObject({ shares: '40.0000', cost_basis: '1300.00', purchase_price: '32.50' });
    expect(await stock('cost-per-share')).toMatchObject({ cost_basis: '32.50', purchase_price: '32.50' });
  });

  it('holdings-other-names: a value that is the cost', async () => {
    const [holding] = (await player.ask('holdings-other-names')).accounts[4]!.holdings;
    expect(holding).toMatchObject({ quantity: expect.any(String), value: expect.any(String) });
    for (const usual of ['shares', 'market_value', 'cost_basis']) expect(holding).not.toHaveProperty(usual);
  });

  it('securities-in-savings: a name that says something else than the holdings', async () => {
    const { accounts } = await player.ask('securities-in-savings');
    expect(accounts.filter(({ holdings }) => holdings.length > 0).map(({ name }) => name)).toEqual(['Savings (7780)']);
  });

  it('dates-a-year-off: one booking that lies far outside of what was asked for', async () => {
    const days = (await player.firstAccount('dates-a-year-off', 'start-date=1792540800')).transactions.map(
      ({ posted }) => posted,
    );
    expect(days.filter((posted) => posted < 1792540800)).toHaveLength(1);
    expect(days.length).toBeGreaterThan(1);
  });

  it('currency-url: an address for a currency', async () => {
    const miles = (await player.ask('currency-url')).accounts.at(-1)!;
    expect(miles).toMatchObject({ name: 'Globetrot Miles', balance: '48210' });
    expect(await (await fetch(miles.currency)).json()).toEqual({ name: 'Globetrot Miles', abbr: 'miles' });
  });

  it.each([
    ['currency-empty', ['', '', '', '', '', '']],
    ['currency-lower-case', ['usd', 'usd', 'usd', 'usd', 'usd', 'jpy']],
  ])('%s: a currency that is not quite one', async (scenario, currencies) => {
    expect((await player.ask(scenario)).accounts.map(({ currency }) => currency)).toEqual(currencies);
  });

  it('markup: markup and control characters', async () => {
    const { accounts, errlist } = await player.ask('markup', `version=2&${MONTH}`);
    for (const text of [accounts[0]!.name, accounts[0]!.transactions[0]!.description, errlist![0]!.msg]) {
      expect(text).toContain('<script>');
      expect(text).toContain('\u0000');
    }
  });
});

describe('servers that speak in their own way', () => {
  it('only-v1 and only-v2: do not care for the version asked for', async () => {
    expect(Object.keys(await player.ask('only-v1', 'version=2'))).toEqual(['errors', 'accounts']);
    expect(Object.keys(await player.ask('only-v2'))).toEqual(['errlist', 'connections', 'accounts']);
  });

  it('mixed-dialects: speak both at once', async () => {
    const set = await player.ask('mixed-dialects');
    expect(Object.keys(set).sort()).toEqual(['accounts', 'connections', 'errlist', 'errors']);
    expect(set.accounts[0]).toMatchObject({ conn_id: expect.any(String), org: { name: 'Harborview Credit Union' } });
  });

  it('organization-half: give a name or a domain', async () => {
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

  it('undated-recent: answer with 30 days when no start is given', async () => {
    expect((await player.firstAccount('undated-recent')).transactions.length).toBeGreaterThan(5);
    expect((await player.firstAccount('healthy')).transactions).toEqual([]);
  });

  it('huge: send 10,000 rows that change no balance', async () => {
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
