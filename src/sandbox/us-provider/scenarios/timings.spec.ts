import { ScenarioPlayer } from './scenario-player.js';
import type { WireAccount } from '../body.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const MONTH = 'start-date=1792540800';
const ids = ({ transactions }: WireAccount) => transactions.map(({ id }) => id);
const cents = (text: string) => Math.round(Number(text) * 100);

describe('balance and list of different moments', () => {
  it('history-later: three days at first, everything at the next sync, the same balance', async () => {
    const first = await player.firstAccount('history-later', MONTH);
    const second = await player.firstAccount('history-later', MONTH);
    expect(first.balance).toBe(second.balance);
    expect(Math.min(...first.transactions.map(({ posted }) => posted))).toBeGreaterThanOrEqual(1795219200 - 3 * 86_400);
    expect(second).toEqual(await player.firstAccount('healthy', MONTH));
  });

  it("balance-ahead: yesterday's bookings are in the balance and come a day later", async () => {
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

  it("list-ahead: yesterday's bookings are listed and not in the balance yet", async () => {
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
