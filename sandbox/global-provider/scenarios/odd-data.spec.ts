import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const YEN = 4;
const idsOf = async (scenario: string, account = 0) =>
  (await player.transactions(scenario, '', account)).map(({ id }) => id);

describe('scenarios of the global sandbox for the number of transactions', () => {
  it('sandbox scenario cut-short returns the newest 25 transactions and the total of all', async () => {
    const [cut, all] = [await player.list('cut-short'), await player.list('healthy')];
    expect(cut).toEqual({ transactions: all.transactions.slice(0, 25), total: all.total });
  });

  it('sandbox scenario total-too-large returns all transactions and a total that is 500 too large', async () => {
    const { transactions, total } = await player.list('total-too-large');
    expect(total).toBe(transactions.length + 500);
  });

  it('sandbox scenario ignores-dates returns all transactions whatever range is requested', async () => {
    const range = 'from=2026-11-01&to=2026-11-02';
    expect((await player.list('ignores-dates', range)).total).toBe((await player.list('healthy')).total);
    expect((await player.list('healthy', range)).total).toBeLessThan(20);
  });

  it('sandbox scenario no-transactions returns a balance but no transactions', async () => {
    expect(await player.list('no-transactions')).toEqual({ transactions: [], total: 0 });
    expect(await player.balance('no-transactions')).toEqual(await player.balance('healthy'));
  });

  it('scenario huge of the global sandbox adds 10,000 transactions that change no balance', async () => {
    expect((await player.list('huge')).total).toBe((await player.list('healthy')).total + 10_000);
    expect(await player.balance('huge')).toEqual(await player.balance('healthy'));
  });
});

describe('scenarios of the global sandbox with unusual ids', () => {
  it('sandbox scenario ids-unstable gives transactions new ids in each sync', async () => {
    await player.visit('ids-unstable');
    const before = new Set(await idsOf('ids-unstable'));
    await player.visit('ids-unstable');
    const after = await idsOf('ids-unstable');
    expect(after).toHaveLength(before.size);
    expect(after.filter((id) => before.has(id))).toEqual([]);
  });

  it('sandbox scenario ids-shared gives transactions of several accounts the same ids', async () => {
    const [one, two] = [new Set(await idsOf('ids-shared', 0)), await idsOf('ids-shared', 1)];
    expect(two.length).toBeGreaterThan(0);
    expect(two.every((id) => one.has(id))).toBe(true);
  });

  it('sandbox scenario ids-twice returns one transaction id twice in a response', async () => {
    const ids = await idsOf('ids-twice');
    expect(ids.length - new Set(ids).size).toBe(1);
  });

  it('sandbox scenario ids-as-numbers returns transaction ids as numbers', async () => {
    expect((await idsOf('ids-as-numbers')).every((id) => Number.isSafeInteger(id))).toBe(true);
  });

  it('sandbox scenario equal-rows returns each transaction twice under different ids', async () => {
    const [rows, healthy] = [await player.transactions('equal-rows'), await player.transactions('healthy')];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(healthy.length * 2);
  });
});

describe('scenarios of the global sandbox with unusual accounts and balances', () => {
  it('sandbox scenario bare-accounts lists accounts with nothing but their id and their upstream provider', async () => {
    expect((await player.accounts('bare-accounts')).map((item) => Object.keys(item))).toEqual(
      Array(6).fill(['id', 'provider']),
    );
  });

  it('sandbox scenario ids-as-text returns account ids as strings', async () => {
    expect((await player.accounts('ids-as-text')).every(({ id }) => typeof id === 'string')).toBe(true);
    expect(typeof (await player.transactions('ids-as-text'))[0]!.accountId).toBe('string');
  });

  it('scenario duplicate-account of the global sandbox lists the first account twice', async () => {
    const accounts = await player.accounts('duplicate-account');
    expect(accounts[6]).toEqual(accounts[0]);
  });

  it('sandbox scenario status-unknown lists accounts with undocumented statuses', async () => {
    const statuses = (await player.accounts('status-unknown')).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['active', 'INACTIVE', 'HIBERNATING']));
  });

  it('sandbox scenario currency-nowhere reports currencies in transactions only, and currency-forgotten forgets them after the first sync', async () => {
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

  it('sandbox scenario balance-empty returns balances without an amount, and balance-vanishes does after the first sync', async () => {
    const bodies = [];
    for (const account of [0, 1, 2]) {
      bodies.push(JSON.parse((await player.get('balance-empty', await player.path('balance', account))).text));
    }
    expect(bodies).toEqual([{ balance: { currency: 'EUR' } }, { balance: null }, {}]);
    await player.visit('balance-vanishes');
    await player.get('balance-vanishes');
    expect(await player.balance('balance-vanishes')).not.toHaveProperty('amount');
  });

  it('sandbox scenario older-dialect uses the field names of the older API format', async () => {
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

  it('sandbox scenario amounts-as-text returns amounts as strings', async () => {
    expect(typeof (await player.balance('amounts-as-text')).amount).toBe('string');
    expect((await player.transactions('amounts-as-text')).every(({ amount }) => typeof amount === 'string')).toBe(true);
  });
});

describe('scenarios of the global sandbox with unusual transactions', () => {
  it('sandbox scenario row-without-id has transactions without an id, and row-gaps has some without a date or an amount', async () => {
    const without = (await player.transactions('row-without-id')).filter(({ id }) => !id?.trim());
    expect(new Set(without.map(({ id }) => id))).toEqual(new Set([null, '  ']));
    const gaps = await player.transactions('row-gaps');
    for (const name of ['date', 'amount']) {
      const lacking = gaps.filter((row) => !(name in row)).length / gaps.length;
      expect(lacking).toBeGreaterThan(0.03);
      expect(lacking).toBeLessThan(0.1);
    }
  });

  it('sandbox scenario currency-unknown has transactions in an unknown currency, and currency-foreign in another one or none', async () => {
    const currencies = async (scenario: string) =>
      new Set((await player.transactions(scenario)).map(({ currency }) => currency));
    expect(await currencies('currency-unknown')).toEqual(new Set(['EUR', 'XQZ']));
    expect(await currencies('currency-foreign')).toEqual(new Set(['EUR', 'chf', undefined]));
  });

  it('sandbox scenarios dates-with-time, undefined-text and markup return times, the word “undefined” and markup', async () => {
    expect((await player.transactions('dates-with-time'))[0]!.date).toMatch(/^\d{4}-\d\d-\d\dT23:30:00Z$/);
    expect((await player.transactions('undefined-text', '', 1))[0]).toMatchObject({
      merchant: 'undefined',
      description: 'undefined',
    });
    expect((await player.transactions('markup'))[0]!.merchant).toContain('<script>');
    expect((await player.accounts('markup'))[0]!.name).toContain('\r\n');
  });

  it('sandbox scenario odd-amounts returns numbers such as -0 and 1e-7 as they are written', async () => {
    const text = async (account: number) =>
      (await player.get('odd-amounts', await player.path('transactions', account))).text;
    const euros = await text(0);
    for (const amount of ['-0', '0', '1e-7', '12345678901234567', '-12.345'])
      expect(euros).toContain(`"amount":${amount},`);
    expect(() => void JSON.parse(euros)).not.toThrow();
    expect(await text(YEN)).toMatch(/"amount":-?\d+\.5,/);
  });
});
