import { addDays } from '../../../src/platform/time/calendar-date.js';
import type { WireTransaction } from '../body.js';
import { ScenarioPlayer } from './scenario-player.js';

const player = new ScenarioPlayer();
beforeAll(() => player.start());
beforeEach(() => player.forget());
afterAll(() => player.stop());

const DAY = '2026-11-17';
const QUERY = 'from=2026-11-01&include_pending=true';
const textOf = ({ merchant, description }: WireTransaction) => `${merchant} ${description}`;

async function rowsOn(scenario: string, today: string): Promise<WireTransaction[]> {
  player.today = today;
  return player.transactions(scenario, QUERY);
}

/** A pending transaction unlike all others, and what is listed once it was posted. */
async function liveThrough(scenario: string) {
  const first = await rowsOn(scenario, DAY);
  const holds = first.filter(({ isPending }) => isPending);
  const hold = holds.find((one) => holds.filter((row) => textOf(row) === textOf(one)).length === 1)!;
  const known = new Set(first.filter(({ isPending }) => !isPending).map(({ id }) => id));
  for (let days = 1; days <= 6; days++) {
    const later = await rowsOn(scenario, addDays(DAY, days));
    const booked = later.find((row) => textOf(row) === textOf(hold) && !row.isPending && !known.has(row.id));
    if (booked) return { hold, booked, later };
  }
  throw new Error('the hold was never posted');
}

describe('scenarios of the global sandbox for pending transactions', () => {
  it.each(['healthy', 'pending-new-id'])(
    'in sandbox scenario %s a pending transaction has no id and is posted with one',
    async (scenario) => {
      const { hold, booked } = await liveThrough(scenario);
      expect(hold).toMatchObject({ id: null, amount: booked.amount });
      expect(booked.id).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it('in scenario pending-same-id of the global sandbox a pending transaction is posted under its own id', async () => {
    const { hold, booked } = await liveThrough('pending-same-id');
    expect(hold.id).toMatch(/^[0-9a-f]{32}$/);
    expect(booked.id).toBe(hold.id);
  });

  it('in sandbox scenario pending-changed-amount a pending transaction is posted with a quarter more', async () => {
    const { hold, booked } = await liveThrough('pending-changed-amount');
    expect(booked.amount / hold.amount).toBeCloseTo(1.25, 1);
  });

  it('in scenario pending-vanishes of the global sandbox a pending transaction is listed for three days and never posted', async () => {
    const seen: number[] = [];
    for (const ahead of [0, 1, 2, 3]) {
      const hotels = (await rowsOn('pending-vanishes', addDays(DAY, ahead))).filter(
        ({ description }) => description === 'DUNE HOUSE HOTEL HOLD',
      );
      expect(hotels.every(({ isPending, id }) => isPending && id === null)).toBe(true);
      seen.push(hotels.length);
    }
    expect([...seen].sort()).toEqual([1, 1, 2, 2]);
  });

  it('in sandbox scenario pending-twin a pending transaction stays listed beside its posted one', async () => {
    const { hold, later } = await liveThrough('pending-twin');
    expect(later.filter((row) => row.isPending && row.date === hold.date && textOf(row) === textOf(hold))).not.toEqual(
      [],
    );
  });

  it('scenario pending-never of the global sandbox lists no pending transactions', async () => {
    expect((await rowsOn('pending-never', DAY)).filter(({ isPending }) => isPending)).toEqual([]);
  });

  it('sandbox scenario pending-unasked lists pending transactions that were not requested', async () => {
    player.today = DAY;
    const pending = async (scenario: string) =>
      (await player.transactions(scenario)).filter(({ isPending }) => isPending).length;
    expect(await pending('pending-unasked')).toBeGreaterThan(0);
    expect(await pending('healthy')).toBe(0);
  });
});
