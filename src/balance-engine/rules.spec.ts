import fc from 'fast-check';
import {
  afterSyncs,
  anyLedger,
  faultlessFeed,
  FIRST_SYNC_DAY,
  lateListing,
  LIABILITIES,
  TYPES_MOVED_BY_ENTRIES,
} from '../../test/any-ledger.js';
import { deriveHistory } from './derive-history.js';
import { BALANCE_COLUMNS, type BalanceHistory } from './history.js';
import type { Entry, Ledger } from './ledger.js';

const derive = (ledger: Ledger) => deriveHistory(ledger)!;

/** The rows of which something does not hold. A matcher for every row would cost most of the time. */
function rowsThatBreak({ length }: BalanceHistory, holds: (row: number) => boolean): number[] {
  return Array.from({ length }, (_, row) => row).filter((row) => !holds(row));
}

/** Row by day, every column of it: what is compared when rows have to stay the same. */
function byDay({ firstDay, length, columns }: BalanceHistory): Map<number, string> {
  const text = (row: number) => BALANCE_COLUMNS.map((name) => `${name} ${columns[name][row]}`).join(' ');
  return new Map(Array.from({ length }, (_, row) => [firstDay + row, text(row)]));
}

function daysBefore(history: BalanceHistory, day: number): Map<number, string> {
  return new Map([...byDay(history)].filter(([key]) => key < day));
}

const isMovedByEntries = ({ accountType }: Ledger) =>
  (TYPES_MOVED_BY_ENTRIES as readonly unknown[]).includes(accountType);
const isPortfolio = ({ accountType }: Ledger) => accountType === 'investment' || accountType === 'crypto';

/** What entries of one day brought in and took out. */
function flowsOf(entries: readonly Entry[], day: number): [inflows: number, outflows: number] {
  const amounts = entries.filter((entry) => entry.day === day).map(({ amountMinor }) => amountMinor);
  const sum = (part: number[]) => part.reduce((total, amount) => total + Math.abs(amount), 0);
  return [sum(amounts.filter((amount) => amount > 0)), sum(amounts.filter((amount) => amount < 0))];
}

describe('a history has', () => {
  it('one row per day from the first known day to the last', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { firstDay, length, columns } = derive(ledger);
        const days = isMovedByEntries(ledger) ? ledger.entries.map(({ day }) => day) : [];
        expect(firstDay).toBe(Math.min(ledger.until, FIRST_SYNC_DAY, ...days));
        expect(firstDay + length - 1).toBe(ledger.until);
        for (const name of BALANCE_COLUMNS) expect(columns[name]).toHaveLength(length);
      }),
    );
  });

  it('the identities in every row, and starts where the day before ended', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const history = derive(ledger);
        const { factor, columns: c } = history;
        expect(factor).toBe(LIABILITIES.includes(ledger.accountType) ? -1 : 1);
        const broken = rowsThatBreak(history, (i) => {
          const cash = (c.cashInflows[i]! - c.cashOutflows[i]!) * factor + c.cashAdjustments[i]!;
          const flows = (c.nonCashInflows[i]! - c.nonCashOutflows[i]!) * factor;
          const nonCash = flows + c.netMarketFlows[i]! + c.nonCashAdjustments[i]!;
          const addsUp = c.endCash[i] === c.startCash[i]! + cash && c.endNonCash[i] === c.startNonCash[i]! + nonCash;
          const goesOn = i === 0 || (c.startCash[i] === c.endCash[i - 1] && c.startNonCash[i] === c.endNonCash[i - 1]);
          return addsUp && goesOn && BALANCE_COLUMNS.every((name) => Number.isSafeInteger(c[name][i]));
        });
        expect(broken).toEqual([]);
      }),
    );
  });

  it('the newest reported balance at its end, exactly', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { columns, factor, length } = derive(ledger);
        const end = columns.endCash[length - 1]! + columns.endNonCash[length - 1]!;
        const reported = ledger.observations.at(-1)!.balanceMinor;
        if (ledger.accountType === 'credit_card') expect(Math.abs(end)).toBe(Math.abs(reported));
        else expect(end).toBe(factor === 1 ? reported : Math.abs(reported));
      }),
    );
  });

  it('no existence without an observation', () => {
    fc.assert(fc.property(anyLedger, (ledger) => expect(deriveHistory({ ...ledger, observations: [] })).toBeNull()));
  });

  it('nothing in the columns of a part that the type does not have', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { hasCash, columns } = derive(ledger);
        const absent = BALANCE_COLUMNS.filter((name) =>
          hasCash
            ? isMovedByEntries(ledger) && /NonCash|nonCash|Market/.test(name)
            : /Cash/i.test(name) && !/nonCash/i.test(name),
        );
        for (const name of absent) expect([name, columns[name].some((amount) => amount !== 0)]).toEqual([name, false]);
      }),
    );
  });
});

describe('a history of an account that entries move invents nothing:', () => {
  const movedByEntries = anyLedger.filter(isMovedByEntries);

  it('its flows are the booked entries of the day, and pending ones never count', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const history = derive(ledger);
        const { hasCash, columns } = history;
        const [inflows, outflows] = hasCash
          ? [columns.cashInflows, columns.cashOutflows]
          : [columns.nonCashInflows, columns.nonCashOutflows];
        const broken = rowsThatBreak(history, (row) => {
          const [booked, spent] = flowsOf(ledger.entries, history.firstDay + row);
          return inflows[row] === booked && outflows[row] === spent;
        });
        expect(broken).toEqual([]);
      }),
    );
  });

  it('it adjusts only on days of a report', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const history = derive(ledger);
        const days = new Set([ledger.until, ...ledger.observations.map(({ day }) => day)]);
        const { cashAdjustments, nonCashAdjustments } = history.columns;
        const adjusted = (row: number) => cashAdjustments[row] !== 0 || nonCashAdjustments[row] !== 0;
        expect(rowsThatBreak(history, (row) => days.has(history.firstDay + row) || !adjusted(row))).toEqual([]);
      }),
    );
  });
});

describe('the market', () => {
  it('moves what is held and nothing else: a day without a snapshot has no market and no trade', () => {
    fc.assert(
      fc.property(anyLedger.filter(isPortfolio), (ledger) => {
        const history = derive(ledger);
        const { until, observations } = ledger;
        const days = new Set(observations.filter(({ holdings }) => holdings).map(({ day }) => Math.min(day, until)));
        const { netMarketFlows, nonCashAdjustments } = history.columns;
        const stirs = (row: number) => netMarketFlows[row] !== 0 || nonCashAdjustments[row] !== 0;
        expect(rowsThatBreak(history, (row) => days.has(history.firstDay + row) || !stirs(row))).toEqual([]);
      }),
    );
  });

  it('leaves every snapshot worth what it was reported to be', () => {
    fc.assert(
      fc.property(anyLedger.filter(isPortfolio), (ledger) => {
        const { columns, length } = derive(ledger);
        const newest = ledger.observations.findLast(({ holdings }) => holdings)?.holdings ?? [];
        expect(columns.endNonCash[length - 1]).toBe(newest.reduce((sum, { valueMinor }) => sum + valueMinor, 0));
      }),
    );
  });
});

describe('the same facts', () => {
  it('give the same rows in whatever order and however often they were delivered', () => {
    const shuffled = anyLedger.chain((ledger) => {
      const { entries, observations } = ledger;
      const all = <T>(items: readonly T[]) => fc.shuffledSubarray([...items], { minLength: items.length });
      const some = fc.subarray([...observations]).map((again) => [...observations, ...again]);
      return fc.tuple(
        fc.constant(ledger),
        fc.record({ entries: all(entries), observations: some.chain((reports) => all(reports)) }),
      );
    });
    fc.assert(
      fc.property(shuffled, ([ledger, delivered]) => {
        expect(derive({ ...ledger, ...delivered })).toEqual(derive(ledger));
      }),
    );
  });

  it('give the same rows of the days before today when nothing but time goes by', () => {
    fc.assert(
      fc.property(anyLedger, fc.integer({ min: 1, max: 60 }), (ledger, days) => {
        const today = Math.max(...ledger.observations.map(({ day }) => day));
        const now = { ...ledger, until: today };
        const later = { ...ledger, until: today + days };
        expect(daysBefore(derive(later), today)).toEqual(daysBefore(derive(now), today));
      }),
    );
  });
});

describe('a feed without faults', () => {
  it('gives the true balance of every day after every sync, and nothing to adjust', () => {
    fc.assert(
      fc.property(faultlessFeed, ({ ledger, openingMinor }) => {
        for (let syncs = 1; syncs <= ledger.observations.length; syncs++) {
          const known = afterSyncs(ledger, syncs);
          const history = derive(known);
          const { columns, factor, firstDay } = history;
          let balance = openingMinor * factor;
          const broken = rowsThatBreak(history, (row) => {
            const [inflows, outflows] = flowsOf(known.entries, firstDay + row);
            balance += (inflows - outflows) * factor;
            const adjusted = columns.cashAdjustments[row]! + columns.nonCashAdjustments[row]!;
            return columns.endCash[row]! + columns.endNonCash[row]! === balance && adjusted === 0;
          });
          expect(broken).toEqual([]);
        }
      }),
    );
  });

  it('never has a row written again by a sync that brings nothing about its day or an earlier one', () => {
    fc.assert(
      fc.property(faultlessFeed, ({ ledger }) => {
        let before: BalanceHistory | null = null;
        for (let syncs = 1; syncs <= ledger.observations.length; syncs++) {
          const { observedAt } = ledger.observations[syncs - 1]!;
          const news = ledger.entries.filter(({ firstSeenAt }) => firstSeenAt === observedAt).map(({ day }) => day);
          const history = derive(afterSyncs(ledger, syncs));
          if (before) {
            const untouched = Math.min(before.firstDay + before.length, ...news);
            expect(daysBefore(history, untouched)).toEqual(daysBefore(before, untouched));
          }
          before = history;
        }
      }),
    );
  });
});

describe('an entry that is listed late', () => {
  it.each(['inBalance', 'backDated'] as const)('leaves no trace once it is listed (%s)', (way) => {
    fc.assert(
      fc.property(lateListing, (feeds) => {
        expect(byDay(derive(feeds[way]))).toEqual(byDay(derive(feeds.punctual)));
      }),
    );
  });
});

describe('a lasting fact', () => {
  it('that no entry explains never changes a day before it appeared', () => {
    const withFee = fc.tuple(faultlessFeed, fc.nat(), fc.integer({ min: 1, max: 90_00 }));
    fc.assert(
      fc.property(withFee, ([{ ledger }, choice, feeMinor]) => {
        fc.pre(ledger.observations.length >= 3 && ledger.accountType !== 'credit_card');
        const from = 2 + (choice % (ledger.observations.length - 2));
        const observations = ledger.observations.map((report, index) =>
          index < from ? report : { ...report, pendingMinor: [], balanceMinor: report.balanceMinor - feeMinor },
        );
        const { day } = observations[from]!;
        const charged = derive({ ...ledger, observations });
        expect(daysBefore(charged, day)).toEqual(daysBefore(derive(ledger), day));
      }),
    );
  });
});

describe('numbers that are none', () => {
  it.each<[string, (ledger: Ledger) => Ledger]>([
    [
      'an amount beyond safe integers',
      (ledger) => ({ ...ledger, entries: [{ day: 1, amountMinor: 2 ** 53, firstSeenAt: 0 }] }),
    ],
    ['an amount with a fraction', (ledger) => ({ ...ledger, entries: [{ day: 1, amountMinor: 0.5, firstSeenAt: 0 }] })],
    ['a day that is none', (ledger) => ({ ...ledger, until: NaN })],
    ['a moment that is none', (ledger) => ({ ...ledger, entries: [{ day: 1, amountMinor: 1, firstSeenAt: NaN }] })],
  ])('are refused at the door: %s', (_, spoil) => {
    const [ledger] = fc.sample(anyLedger, { numRuns: 1, seed: 1 });
    expect(() => deriveHistory(spoil(ledger!))).toThrow(RangeError);
  });
});
