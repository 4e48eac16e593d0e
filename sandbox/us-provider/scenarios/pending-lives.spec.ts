import { addDays } from '../../../src/platform/time/calendar-date.js';
import type { WireAccount, WireTransaction } from '../body.js';
import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
afterAll(() => player.stop());

/** A Friday: a day later nothing has been posted, three days later everything has. */
const DAY = '2026-11-13';
const QUERY = 'pending=1&start-date=1791417600';
const CARD = 2;

describe('scenarios of the US sandbox for pending transactions', () => {
  it.each(['healthy', 'pending-new-id'])(
    'in sandbox scenario %s a pending transaction is posted with the same amount under a new id',
    async (scenario) => {
      const { hold, later } = await liveThrough(scenario);
      expect(later.some(({ id }) => id === hold.id)).toBe(false);
      expect(bookingsOf(hold, later)).toEqual([expect.objectContaining({ amount: hold.amount })]);
    },
  );

  it('in scenario pending-same-id of the US sandbox a pending transaction is posted under its own id', async () => {
    const { hold, later } = await liveThrough('pending-same-id');
    const booking = later.find(({ id }) => id === hold.id);
    expect(booking).toMatchObject({ amount: hold.amount, transacted_at: hold.transacted_at });
    expect(booking).not.toHaveProperty('pending');
  });

  it('in sandbox scenario pending-changed-amount a pending transaction is posted with a quarter more under a new id', async () => {
    const { hold, later } = await liveThrough('pending-changed-amount');
    const [booking] = bookingsOf(hold, later);
    expect(booking!.id).not.toBe(hold.id);
    expect(Number(booking!.amount) / Number(hold.amount)).toBeCloseTo(1.25, 2);
  });

  it('in scenario pending-vanishes of the US sandbox a pending transaction is listed for three days and never posted', async () => {
    const seen: string[][] = [];
    for (const ahead of [0, 1, 2, 3, 4, 5]) {
      const { transactions } = await accountOn('pending-vanishes', addDays(DAY, ahead), 0);
      seen.push(transactions.filter(isHotel).map(({ id }) => id));
      expect(transactions.filter(isHotel).every(({ pending }) => pending === true)).toBe(true);
    }
    expect(seen.map(({ length }) => length)).toEqual([1, 2, 1, 2, 1, 2]);
    expect(seen[1]).toContain(seen[0]![0]);
    expect(seen[2]).not.toContain(seen[0]![0]);
  });

  it('in sandbox scenario pending-twin a pending transaction stays listed beside its posted one for three days', async () => {
    const { hold, later } = await liveThrough('pending-twin');
    expect(later.filter(({ id }) => id === hold.id)).toEqual([expect.objectContaining({ pending: true, posted: 0 })]);
    expect(bookingsOf(hold, later)).toHaveLength(1);
    const { transactions } = await accountOn('pending-twin', addDays(DAY, 9), CARD);
    expect(transactions.some(({ id }) => id === hold.id)).toBe(false);
  });

  it('scenario pending-never of the US sandbox lists no pending transactions', async () => {
    expect(holdsOf(await accountOn('healthy', DAY, CARD)).length).toBeGreaterThan(0);
    expect(holdsOf(await accountOn('pending-never', DAY, CARD))).toEqual([]);
  });

  it('sandbox scenario pending-ignores-window lists pending transactions in windows of the past', async () => {
    player.today = DAY;
    const old = 'pending=1&start-date=1780000000&end-date=1781000000';
    expect(holdsOf((await player.ask('pending-ignores-window', old)).accounts[CARD]!).length).toBeGreaterThan(0);
    expect(holdsOf((await player.ask('healthy', old)).accounts[CARD]!)).toEqual([]);
  });
});

async function accountOn(scenario: string, today: string, index: number): Promise<WireAccount> {
  player.today = today;
  return (await player.ask(scenario, QUERY)).accounts[index]!;
}

/** A pending transaction of the card, and the card's rows once it was posted. */
async function liveThrough(scenario: string): Promise<{ hold: WireTransaction; later: WireTransaction[] }> {
  const [hold] = holdsOf(await accountOn(scenario, DAY, CARD));
  for (let days = 1; days <= 7; days++) {
    const { transactions } = await accountOn(scenario, addDays(DAY, days), CARD);
    if (bookingsOf(hold!, transactions).length > 0) return { hold: hold!, later: transactions };
  }
  throw new Error('the hold was never posted');
}

function holdsOf({ transactions }: WireAccount): WireTransaction[] {
  return transactions.filter(({ pending }) => pending);
}

function bookingsOf(hold: WireTransaction, rows: WireTransaction[]): WireTransaction[] {
  return rows.filter(({ transacted_at, pending }) => transacted_at === hold.transacted_at && !pending);
}

function isHotel({ description }: WireTransaction): boolean {
  return description === 'DUNE HOUSE HOTEL HOLD';
}
