import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const YEN = 4;
const idsOf = async (scenario: string, account = 0) =>
  (await player.transactions(scenario, '', account)).map(({ id }) => id);

describe('how much comes', () => {
  it('cut-short: the newest 25, and the total of all', async () => {
    const [cut, all] = [await player.list('cut-short'), await player.list('healthy')];
    expect(cut).toEqual({ transactions: all.transactions.slice(0, 25), total: all.total });
  });

  it('total-too-large: everything, and a total beyond it', async () => {
    const { transactions, total } = await player.list('total-too-large');
    expect(total).toBe(transactions.length + 500);
  });

  it('ignores-dates: everything, whatever the range', async () => {
    const range = 'from=2026-11-01&to=2026-11-02';
    expect((await player.list('ignores-dates', range)).total).toBe((await player.list('healthy')).total);
    expect((await player.list('healthy', range)).total).toBeLessThan(20);
  });

  it('no-transactions: nothing, beside a balance', async () => {
    expect(await player.list('no-transactions')).toEqual({ transactions: [], total: 0 });
    expect(await player.balance('no-transactions')).toEqual(await player.balance('healthy'));
  });

  it('huge: 10,000 rows that change no balance', async () => {
    expect((await player.list('huge')).total).toBe((await player.list('healthy')).total + 10_000);
    expect(await player.balance('huge')).toEqual(await player.balance('healthy'));
  });
});

describe('ids that are less than one would like', () => {
  it('ids-unstable: are new in each sync', async () => {
    await player.visit('ids-unstable');
    const before = new Set(await idsOf('ids-unstable'));
    await player.visit('ids-unstable');
    const after = await idsOf('ids-unstable');
    expect(after).toHaveLength(before.size);
    expect(after.filter((id) => before.has(id))).toEqual([]);
  });

  it('ids-shared: are the same in several accounts', async () => {
    const [one, two] = [new Set(await idsOf('ids-shared', 0)), await idsOf('ids-shared', 1)];
    expect(two.length).toBeGreaterThan(0);
    expect(two.every((id) => one.has(id))).toBe(true);
  });

  it('ids-twice: come twice in one answer', async () => {
    const ids = await idsOf('ids-twice');
    expect(ids.length - new Set(ids).size).toBe(1);
  });

  it('ids-as-numbers: are numbers', async () => {
    expect((await idsOf('ids-as-numbers')).every((id) => Number.isSafeInteger(id))).toBe(true);
  });

  it('equal-rows: are different for equal rows', async () => {
    const [rows, healthy] = [await player.transactions('equal-rows'), await player.transactions('healthy')];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(healthy.length * 2);
  });
});

describe('accounts and balances of other servers', () => {
  it('bare-accounts: report next to nothing', async () => {
    expect((await player.accounts('bare-accounts')).map((item) => Object.keys(item))).toEqual(
      Array(6).fill(['id', 'provider']),
    );
  });

  it('ids-as-text: have texts for ids', async () => {
    expect((await player.accounts('ids-as-text')).every(({ id }) => typeof id === 'string')).toBe(true);
    expect(typeof (await player.transactions('ids-as-text'))[0]!.accountId).toBe('string');
  });

  it('duplicate-account: come twice', async () => {
    const accounts = await player.accounts('duplicate-account');
    expect(accounts[6]).toEqual(accounts[0]);
  });

  it('status-unknown: have statuses of their own', async () => {
    const statuses = (await player.accounts('status-unknown')).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['active', 'INACTIVE', 'HIBERNATING']));
  });

  it('currency-nowhere, currency-forgotten: report no currency', async () => {
    const told = async (scenario: string) => {
      await player.visit(scenario);
      const accounts = await player.accounts(scenario);
      return [...accounts, await player.balance(scenario)].filter((item) => 'currency' in item).length;
    };
    expect(await told('currency-nowhere')).toBe(0);
    expect(await told('currency-forgotten')).toBe(0);
    expect((await player.transactions('currency-nowhere'))[0]!.currency).toBe('EUR');
    player.forget();
    expect((await player.accounts('currency-forgotten'))[YEN]!.currency).toBe('JPY');
  });

  it('balance-empty, balance-vanishes: report no amount', async () => {
    const bodies = [];
    for (const account of [0, 1, 2]) {
      bodies.push(JSON.parse((await player.get('balance-empty', await player.path('balance', account))).text));
    }
    expect(bodies).toEqual([{ balance: { currency: 'EUR' } }, { balance: null }, {}]);
    await player.visit('balance-vanishes');
    await player.get('balance-vanishes');
    expect(await player.balance('balance-vanishes')).not.toHaveProperty('amount');
  });

  it('older-dialect: speak in other words', async () => {
    const { amount, currency } = await player.balance('healthy');
    expect(await player.balance('older-dialect')).toEqual({ available: amount + 500, current: amount, currency });
    const list = await player.list('older-dialect');
    expect(Object.keys(list)).toEqual(['transactions']);
    expect(Object.keys(list.transactions[0]!).sort()).toEqual([
      'account_id',
      'amount',
      'category',
      'currency',
      'date',
      'description',
      'id',
      'merchant_name',
      'pending',
    ]);
  });

  it('amounts-as-text: have texts for amounts', async () => {
    expect(typeof (await player.balance('amounts-as-text')).amount).toBe('string');
    expect((await player.transactions('amounts-as-text')).every(({ amount }) => typeof amount === 'string')).toBe(true);
  });
});

describe('transactions of other servers', () => {
  it('row-without-id, row-gaps: lack what they should have', async () => {
    const without = (await player.transactions('row-without-id')).filter(({ id }) => !id?.trim());
    expect(new Set(without.map(({ id }) => id))).toEqual(new Set([null, '  ']));
    const gaps = await player.transactions('row-gaps');
    for (const name of ['date', 'amount']) {
      const lacking = gaps.filter((row) => !(name in row)).length / gaps.length;
      expect(lacking).toBeGreaterThan(0.03);
      expect(lacking).toBeLessThan(0.1);
    }
  });

  it('currency-unknown, currency-foreign: are in other currencies', async () => {
    const currencies = async (scenario: string) =>
      new Set((await player.transactions(scenario)).map(({ currency }) => currency));
    expect(await currencies('currency-unknown')).toEqual(new Set(['EUR', 'XQZ']));
    expect(await currencies('currency-foreign')).toEqual(new Set(['EUR', 'chf', undefined]));
  });

  it('dates-with-time, undefined-text, markup: are written oddly', async () => {
    expect((await player.transactions('dates-with-time'))[0]!.date).toMatch(/^\d{4}-\d\d-\d\dT23:30:00Z$/);
    expect((await player.transactions('undefined-text', '', 1))[0]).toMatchObject({
      merchant: 'undefined',
      description: 'undefined',
    });
    expect((await player.transactions('markup'))[0]!.merchant).toContain('<script>');
    expect((await player.accounts('markup'))[0]!.name).toContain('\r\n');
  });

  it('odd-amounts: are numbers that JavaScript would write in another way', async () => {
    const text = async (account: number) =>
      (await player.get('odd-amounts', await player.path('transactions', account))).text;
    const euros = await text(0);
    for (const amount of ['-0', '0', '1e-7', '12345678901234567', '-12.345'])
      expect(euros).toContain(`"amount":${amount},`);
    expect(() => void JSON.parse(euros)).not.toThrow();
    expect(await text(YEN)).toMatch(/"amount":-?\d+\.5,/);
  });
});
