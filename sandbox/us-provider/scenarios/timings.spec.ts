import { ScenarioPlayer } from './scenario-player.js';
import type { WireAccount } from '../body.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const MONTH = 'start-date=1792540800';
const ids = ({ transactions }: WireAccount) => transactions.map(({ id }) => id);
const cents = (text: string) => Math.round(Number(text) * 100);

describe('scenarios of the US sandbox with timing differences', () => {
  it('sandbox scenario history-later has three days of transactions in the first sync and all of them in the next', async () => {
    const first = await player.firstAccount('history-later', MONTH);
    const second = await player.firstAccount('history-later', MONTH);
    expect(first.balance).toBe(second.balance);
    expect(Math.min(...first.transactions.map(({ posted }) => posted))).toBeGreaterThanOrEqual(1795219200 - 3 * 86_400);
    expect(second).toEqual(await player.firstAccount('healthy', MONTH));
  });

  it('sandbox scenario balance-ahead includes yesterday’s transactions in the balance a day before it lists them', async () => {
    const [ahead, healthy] = [
      await player.firstAccount('balance-ahead', MONTH),
      await player.firstAccount('healthy', MONTH),
    ];
    expect(ahead.balance).toBe(healthy.balance);
    const late = healthy.transactions.filter(({ id }) => !ids(ahead).includes(id));
    expect(late.map(({ posted }) => posted)).toEqual([1795176000, 1795176000]);
    player.today = '2026-11-22';
    expect(ids(await player.firstAccount('balance-ahead', MONTH))).toEqual(ids(healthy));
    player.today = '2026-11-21';
  });

  it('sandbox scenario list-ahead lists yesterday’s transactions before the balance includes them', async () => {
    const [ahead, healthy] = [
      await player.firstAccount('list-ahead', MONTH),
      await player.firstAccount('healthy', MONTH),
    ];
    expect(ids(ahead)).toEqual(ids(healthy));
    const yesterday = healthy.transactions.filter(({ posted }) => posted >= 1795219200 - 86_400);
    const moved = yesterday.reduce((sum, { amount }) => sum + cents(amount), 0);
    expect(moved).toBeGreaterThan(0);
    expect(cents(healthy.balance) - cents(ahead.balance)).toBe(moved);
  });
});
