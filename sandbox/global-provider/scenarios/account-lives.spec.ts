import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

/** What each sync gets, one after the other. */
async function visits<T>(scenario: string, count: number, look: () => Promise<T>): Promise<T[]> {
  const seen: T[] = [];
  for (let visit = 1; visit <= count; visit++) {
    await player.visit(scenario);
    seen.push(await look());
  }
  return seen;
}

describe('scenarios of the global sandbox that change from sync to sync', () => {
  it('sandbox scenario accounts-none lists no accounts, and accounts-vanish lists none after the first sync', async () => {
    expect(await player.accounts('accounts-none')).toEqual([]);
    expect(await player.accounts('accounts-vanish')).toHaveLength(6);
    await player.visit('accounts-vanish');
    expect(await player.accounts('accounts-vanish')).toEqual([]);
  });

  it('sandbox scenarios account-hidden and account-lost answer 404 for one account from the second sync on', async () => {
    const path = await player.path('balance');
    for (const [scenario, listed] of [
      ['account-hidden', 5],
      ['account-lost', 6],
    ] as const) {
      expect(await player.accounts(scenario)).toHaveLength(6);
      expect((await player.get(scenario, path)).status).toBe(200);
      expect(await player.accounts(scenario)).toHaveLength(listed);
      expect((await player.get(scenario, path)).status).toBe(404);
    }
  });

  it('sandbox scenario consent-lapsed disconnects a bank for one sync and leaves a gap in its transactions', async () => {
    const statuses = async () => [...new Set((await player.accounts('consent-lapsed')).map(({ status }) => status))];
    await player.visit('consent-lapsed');
    const known = await player.transactions('consent-lapsed');
    expect(await statuses()).toEqual(['DISCONNECTED', undefined, 'ACTIVE']);
    const still = await player.transactions('consent-lapsed');
    expect(still.length).toBeLessThan(known.length);
    expect(await statuses()).toEqual(['ACTIVE', undefined]);
    expect(await player.transactions('consent-lapsed')).toEqual(still);
    expect(await player.balance('consent-lapsed')).toEqual(await player.balance('healthy'));
  });

  it('sandbox scenario account-in-error lists two accounts with the status ERROR and outdated transactions', async () => {
    const accounts = await player.accounts('account-in-error');
    expect(accounts.filter(({ status }) => status === 'ERROR')).toHaveLength(2);
    expect((await player.list('account-in-error')).total).toBeLessThan((await player.list('healthy')).total);
  });

  it('sandbox scenario sign-reversed reverses the signs of the balance and the transactions at the second sync', async () => {
    const [before, after] = await visits('sign-reversed', 2, async () => ({
      balance: await player.balance('sign-reversed'),
      amounts: (await player.transactions('sign-reversed')).map(({ amount }) => amount),
    }));
    expect(after!.balance.amount).toBe(-before!.balance.amount);
    expect(after!.amounts).toEqual(before!.amounts.map((amount) => -amount));
  });

  it('sandbox scenario value-dates moves transactions to earlier days at the second sync and keeps their ids', async () => {
    const [before, after] = await visits('value-dates', 2, () => player.transactions('value-dates'));
    const datesOf = new Map(before!.map(({ id, date }) => [id, date]));
    expect(new Set(after!.map(({ id }) => id))).toEqual(new Set(datesOf.keys()));
    const moved = after!.filter(({ id, date }) => datesOf.get(id) !== date);
    expect(moved.length).toBeGreaterThan(after!.length / 2);
    expect(moved.every(({ id, date }) => date < datesOf.get(id)!)).toBe(true);
  });

  it('sandbox scenarios holdings-later, holdings-none and holdings-not-found answer 501, 404 or with holdings', async () => {
    const path = await player.path('holdings', 5);
    const [before, after] = await visits('holdings-later', 2, () => player.get('holdings-later', path));
    expect([before!.status, after!.status]).toEqual([501, 200]);
    expect((await player.get('holdings-none', path)).status).toBe(501);
    expect((await player.get('holdings-not-found', path)).status).toBe(200);
    expect((await player.get('holdings-not-found', await player.path('holdings', 0))).status).toBe(404);
    expect((await player.get('healthy', await player.path('holdings', 0))).status).toBe(501);
    expect((await player.holdings('healthy', 5)).holdings).toHaveLength(3);
  });
});
