import fc from 'fast-check';
import {
  anyLedger,
  busyLedger,
  doubledFeed,
  faultlessFeed,
  FIRST_SYNC_DAY,
  isMovedByEntries,
  LIABILITIES,
} from '../../../test/support/any-ledger.js';
import { daysBefore, flowsOf, rowsThatBreak } from '../../../test/support/history-rows.js';
import { DAY_MS } from '../../platform/time/calendar-date.js';
import { type Certainty, certaintyRanges, ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';
import { SumTooLargeError } from './check-ledger.js';
import { deriveHistory } from './derive-history.js';
import { BALANCE_COLUMNS } from './history.js';
import { ACCOUNT_TYPES, type Entry, type Ledger, type Observation, type Position } from './ledger.js';

const derive = (ledger: Ledger) => deriveHistory(ledger)!;
/** Whether the sign of the balances is found: of cards, of loans that cross zero, and where it speaks against every movement. */
function hasLearnedSign(ledger: Ledger): boolean {
  const { factor, findings } = derive(ledger);
  const isOnSide = (side: 1 | -1) => ledger.observations.some(({ balanceMinor }) => balanceMinor * side > 0);
  const isReversed = findings.some((finding) => finding.kind === 'sign_reversed' && finding.of === 'balances');
  return ledger.accountType === 'credit_card' || (factor === -1 && isOnSide(1) && isOnSide(-1)) || isReversed;
}
const isPortfolio = ({ accountType }: Ledger) => accountType === 'investment' || accountType === 'crypto';

describe('the rows of a balance history', () => {
  it('a balance history has one row per day from its first known day to its last', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { firstDay, length, columns } = derive(ledger);
        const firstOf = (entries: readonly Entry[]) =>
          Math.min(ledger.until, FIRST_SYNC_DAY, ...(isMovedByEntries(ledger) ? entries.map(({ day }) => day) : []));
        // What was listed by mistake may not count.
        expect(firstDay).toBeGreaterThanOrEqual(firstOf(ledger.entries));
        expect(firstDay).toBeLessThanOrEqual(firstOf(ledger.entries.filter(({ listedUntil }) => listedUntil === null)));
        expect(firstDay + length - 1).toBe(ledger.until);
        for (const name of BALANCE_COLUMNS) expect(columns[name]).toHaveLength(length);
      }),
    );
  });

  it('the flows of every row add up to its end balance, and every row starts where the previous day ended', () => {
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

  it('the row of the newest report ends at exactly the reported balance', () => {
    fc.assert(
      fc.property(fc.oneof(anyLedger, doubledFeed), (ledger) => {
        const { columns, factor, firstDay } = derive(ledger);
        const { balanceMinor: reported, day } = ledger.observations.at(-1)!;
        const row = Math.min(day, ledger.until) - firstDay;
        const end = columns.endCash[row]! + columns.endNonCash[row]!;
        if (hasLearnedSign(ledger)) expect(Math.abs(end)).toBe(Math.abs(reported));
        else expect(end).toBe(factor === 1 ? reported : Math.abs(reported));
      }),
    );
  });

  it('the history of a loan that crossed zero and has pending transactions ends at the newest reported balance', () => {
    const report = (observedAt: number, day: number, balanceMinor: number, pendingMinor: number[] = []) => ({
      ...{ observedAt, day, balanceMinor, balanceDay: null, pendingMinor, holdings: null },
    });
    const observations = [
      ...[report(1, 20_000, -4), report(2, 20_000, 3), report(3, 20_001, 0), report(4, 20_002, 0)],
      report(5, 20_002, 1, [-2]),
    ];
    const { columns, length } = derive({
      accountType: 'loan',
      until: 20_001,
      completeOn: null,
      entries: [],
      observations,
    });
    expect(Math.abs(columns.endNonCash[length - 1]!)).toBe(1);
  });

  it('the history of a portfolio whose balance crossed zero ends at the newest reported balance', () => {
    const report = (day: number, balanceMinor: number, holdings: Position[] | null = null) => ({
      ...{ observedAt: day * DAY_MS, day, balanceMinor, balanceDay: null, pendingMinor: [], holdings },
    });
    const token = { key: 'ACME', quantity: 0, valueMinor: 1 };
    const observations = [
      ...[report(20_000, 1), report(20_041, -1), report(20_042, -1), report(20_043, -1, [])],
      ...[report(20_044, 0, [token]), report(20_045, 0), report(20_046, 0)],
    ];
    const { columns, length } = derive({
      accountType: 'crypto',
      until: 20_045,
      completeOn: null,
      entries: [],
      observations,
    });
    expect(columns.endCash[length - 1]! + columns.endNonCash[length - 1]!).toBe(0);
  });

  it('the balance ends where three reports in a row, each dated by the bank, agree, whatever was listed before', () => {
    const rows = fc.array(
      fc.record({
        week: fc.integer({ min: 1, max: 6 }),
        ago: fc.integer({ min: 0, max: 6 }),
        amountMinor: fc.integer(),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...ACCOUNT_TYPES.slice(0, 3)),
        fc.integer(),
        rows,
        (accountType, balanceMinor, listed) => {
          const dayOf = (week: number) => FIRST_SYNC_DAY + week * 7;
          const entries = listed.map(({ week, ago, amountMinor }, index): Entry => {
            const listedFrom = dayOf(week) * DAY_MS;
            return { key: String(index), day: dayOf(week) - ago, amountMinor, listedFrom, listedUntil: null };
          });
          const observations = Array.from({ length: 9 }, (_, week): Observation => {
            const [observedAt, day] = [dayOf(week) * DAY_MS, dayOf(week)];
            return { observedAt, day, balanceDay: day, balanceMinor, pendingMinor: [], holdings: null };
          });
          const until = dayOf(8);
          const { firstDay, factor, columns } = derive({
            accountType,
            until,
            completeOn: until,
            entries,
            observations,
          });
          const ends = [6, 7, 8].map(
            (week) => columns.endCash[dayOf(week) - firstDay]! + columns.endNonCash[dayOf(week) - firstDay]!,
          );
          // Of a debt the sign is unknown.
          expect(ends.map(factor === 1 ? Number : Math.abs)).toEqual(
            Array(3).fill(factor === 1 ? balanceMinor : Math.abs(balanceMinor)),
          );
        },
      ),
    );
  });

  it('an account without a reported balance has no history', () => {
    fc.assert(fc.property(anyLedger, (ledger) => expect(deriveHistory({ ...ledger, observations: [] })).toBeNull()));
  });

  it('an account type without a cash or a non-cash part has only zeros in the columns of that part', () => {
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

describe('accounts that only transactions move', () => {
  const movedByEntries = anyLedger.filter(isMovedByEntries);

  it('in an account that only transactions move, the flows of a day are its posted transactions and never pending ones', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const history = derive(ledger);
        // Transactions that are listed in the other sign since a moment are put right: then money in may be money out.
        const isPutRight = history.findings.some(
          (found) => found.kind === 'sign_reversed' && found.of === 'transactions',
        );
        const { hasCash, columns } = history;
        const [inflows, outflows] = hasCash
          ? [columns.cashInflows, columns.cashOutflows]
          : [columns.nonCashInflows, columns.nonCashOutflows];
        const broken = rowsThatBreak(history, (row) => {
          const [booked, spent] = flowsOf(ledger.entries, history.firstDay + row);
          if (isPutRight) return inflows[row]! + outflows[row]! === booked + spent;
          return inflows[row] === booked && outflows[row] === spent;
        });
        expect(broken).toEqual([]);
      }),
    );
  });

  it('an account that only transactions move is adjusted only on days of a report or of a duplicate or withdrawn transaction', () => {
    fc.assert(
      fc.property(movedByEntries, (ledger) => {
        const history = derive(ledger);
        const twice = history.findings.flatMap((found) => (found.kind === 'transaction_twice' ? [found.day] : []));
        // Where a provider says of which day a balance is, the change is of that day.
        // What the newest balance carries is taken back on the next day.
        const days = new Set([
          ledger.until,
          ledger.observations.at(-1)!.day + 1,
          ...ledger.observations.flatMap(({ day, balanceDay }) => [day, balanceDay]),
          ...ledger.entries.filter(({ listedUntil }) => listedUntil !== null).map(({ day }) => day),
          ...twice,
        ]);
        const { cashAdjustments, nonCashAdjustments } = history.columns;
        const adjusted = (row: number) => cashAdjustments[row] !== 0 || nonCashAdjustments[row] !== 0;
        expect(rowsThatBreak(history, (row) => days.has(history.firstDay + row) || !adjusted(row))).toEqual([]);
      }),
    );
  });
});

describe('portfolios', () => {
  it('a portfolio has market flows and non-cash adjustments only on days with a report', () => {
    fc.assert(
      fc.property(anyLedger.filter(isPortfolio), (ledger) => {
        const history = derive(ledger);
        const { until, observations } = ledger;
        const days = new Set(observations.map(({ day }) => Math.min(day, until)));
        const { netMarketFlows, nonCashAdjustments } = history.columns;
        const stirs = (row: number) => netMarketFlows[row] !== 0 || nonCashAdjustments[row] !== 0;
        expect(rowsThatBreak(history, (row) => days.has(history.firstDay + row) || !stirs(row))).toEqual([]);
      }),
    );
  });

  it('the non-cash balance on the day of the newest holdings snapshot is the total value of its holdings', () => {
    fc.assert(
      fc.property(anyLedger.filter(isPortfolio), (ledger) => {
        const listed = ledger.observations.findLastIndex(({ holdings }) => holdings);
        fc.pre(listed >= 0);
        const { columns, length } = derive({ ...ledger, observations: ledger.observations.slice(0, listed + 1) });
        const newest = ledger.observations[listed]!.holdings!;
        expect(columns.endNonCash[length - 1]).toBe(newest.reduce((sum, { valueMinor }) => sum + valueMinor, 0));
      }),
    );
  });

  it('a portfolio day with unreadable holdings ends at the reported balance even if its transactions are listed late', () => {
    const daily = fc.record({
      isPaid: fc.boolean(),
      isLate: fc.boolean(),
      isRead: fc.boolean(),
      marketMinor: fc.integer({ min: -10_00, max: 10_00 }),
    });
    fc.assert(
      fc.property(fc.array(daily, { minLength: 4, maxLength: 12 }), (days) => {
        const momentOf = (index: number) => (FIRST_SYNC_DAY + index) * DAY_MS;
        // No sum of others can be taken for a payment.
        const paidOn = (index: number) => (index > 0 && days[index]!.isPaid ? 100_00 * 2 ** index : 0);
        const isReadOn = (index: number) => index === 0 || index >= days.length - 2 || days[index]!.isRead;
        let [cash, valueMinor] = [1_000_00, 20_000_000_00];
        const observations = days.map(({ marketMinor }, index): Observation => {
          [cash, valueMinor] = [cash + paidOn(index), valueMinor + marketMinor];
          const holdings = isReadOn(index) ? [{ key: 'ACME', quantity: 10, valueMinor }] : null;
          const report = {
            observedAt: momentOf(index),
            day: FIRST_SYNC_DAY + index,
            balanceDay: null,
            pendingMinor: [],
          };
          return { ...report, balanceMinor: cash + valueMinor, holdings };
        });
        const entries = days.slice(0, -1).map(({ isLate }, index): Entry => {
          const listed = {
            key: `${index}`,
            day: FIRST_SYNC_DAY + index,
            amountMinor: paidOn(index),
            listedUntil: null,
          };
          return { ...listed, listedFrom: momentOf(index + (isLate ? 1 : 0)) };
        });
        const until = FIRST_SYNC_DAY + days.length - 1;
        const { columns } = derive({ accountType: 'investment', until, completeOn: until, entries, observations });
        expect(columns.endCash.map((amount, row) => amount + columns.endNonCash[row]!)).toEqual(
          Float64Array.from(observations, ({ balanceMinor }) => balanceMinor),
        );
      }),
    );
  });
});

describe('the order and repetition of the input', () => {
  it('the history is the same for any order of transactions and reports, and if reports are delivered twice', () => {
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

  it('the history is the same for any order of transactions if many transactions of a day share few amounts', () => {
    const shuffled = busyLedger.chain((ledger) =>
      fc.tuple(fc.constant(ledger), fc.shuffledSubarray([...ledger.entries], { minLength: ledger.entries.length })),
    );
    const isOrderFree = fc.property(shuffled, ([ledger, entries]) => {
      expect(derive({ ...ledger, entries })).toEqual(derive(ledger));
    });
    fc.assert(isOrderFree);
    // Its 190th ledger has explanations of the same cost, of which another order took another one.
    fc.assert(isOrderFree, { seed: 599_893_814, path: '189', numRuns: 1 });
  });

  it('rows before today do not change when only time passes', () => {
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

describe('a report dated before the first one', () => {
  const report = { balanceDay: null, pendingMinor: [], holdings: null };
  const moved = [
    { ...report, observedAt: 1_000, day: 100, balanceMinor: 10_000 },
    { ...report, observedAt: 2_000, day: 99, balanceMinor: 15_000 },
    { ...report, observedAt: 9_000, day: 101, balanceMinor: 15_000 },
  ];

  it.each(ACCOUNT_TYPES)('a report dated before the first one after a move west still counts (%s)', (accountType) => {
    const history = derive({ accountType, until: 101, completeOn: null, entries: [], observations: moved });
    const { columns, firstDay } = history;
    const ends = Array.from(columns.endCash, (cash, row) => Math.abs(cash + columns.endNonCash[row]!));

    expect(firstDay).toBe(99);
    expect(ends).toEqual([15_000, 15_000, 15_000]);
  });

  it('a holdings report dated before the first one after a move west still counts', () => {
    const observations = moved.map((one, index) => ({
      ...one,
      holdings: [{ key: 'ACME', quantity: index === 0 ? 10 : 15, valueMinor: one.balanceMinor }],
    }));
    const { columns } = derive({ accountType: 'investment', until: 101, completeOn: null, entries: [], observations });

    expect([...columns.endNonCash]).toEqual([15_000, 15_000, 15_000]);
  });
});

describe('the certainty of a row', () => {
  it('every row is known, estimated or unknown', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { certainty, length } = derive(ledger);
        expect(certainty).toHaveLength(length);
        expect([...certainty].every((value) => [KNOWN, ESTIMATED, UNKNOWN].includes(value as Certainty))).toBe(true);
      }),
    );
  });

  it('an amount is in doubt of estimated rows only, and the two balances of a row can be counted', () => {
    fc.assert(
      fc.property(fc.oneof(anyLedger, busyLedger, doubledFeed), (ledger) => {
        const history = derive(ledger);
        const { endCash, endNonCash } = history.columns;
        for (const { from, until, certainty, doubtMinor } of certaintyRanges(history)) {
          if (certainty === KNOWN) expect(doubtMinor).toBe(0);
          else if (certainty === UNKNOWN || doubtMinor === null) expect(doubtMinor).toBeNull();
          else {
            expect(doubtMinor).not.toBe(0);
            for (let row = from - history.firstDay; row <= until - history.firstDay; row++) {
              expect(Number.isSafeInteger(endCash[row]! + endNonCash[row]! + doubtMinor)).toBe(true);
            }
          }
        }
      }),
    );
  });

  it('rows after both the newest report and the last complete list of transactions are unknown', () => {
    fc.assert(
      fc.property(anyLedger, (ledger) => {
        const { certainty, firstDay } = derive(ledger);
        const last = Math.max(ledger.observations.at(-1)!.day, ledger.completeOn ?? -Infinity);
        expect([...certainty.subarray(Math.max(0, last + 1 - firstDay))].filter((value) => value !== UNKNOWN)).toEqual(
          [],
        );
      }),
    );
  });

  it('the derived opening balance is the true one if the feed is faultless and all rows are known', () => {
    fc.assert(
      fc.property(faultlessFeed, ({ ledger, openingMinor }) => {
        const { certainty, columns, factor } = derive(ledger);
        const isKnown = [...certainty].every((value) => value === KNOWN);
        if (isKnown) expect((columns.startCash[0]! + columns.startNonCash[0]!) * factor + 0).toBe(openingMinor);
      }),
    );
  });
});

describe('invalid numbers', () => {
  const entry = (amountMinor: number, listedFrom: number) => ({
    key: '',
    day: 1,
    amountMinor,
    listedFrom,
    listedUntil: null,
  });

  it.each<[string, (ledger: Ledger) => Ledger]>([
    ['an amount beyond safe integers', (ledger) => ({ ...ledger, entries: [entry(2 ** 53, 0)] })],
    ['an amount with a fraction', (ledger) => ({ ...ledger, entries: [entry(0.5, 0)] })],
    ['a day that is not a number', (ledger) => ({ ...ledger, until: NaN })],
    ['a time that is not a number', (ledger) => ({ ...ledger, entries: [entry(1, NaN)] })],
  ])('a ledger with %s is rejected', (_, spoil) => {
    const [ledger] = fc.sample(anyLedger, { numRuns: 1, seed: 1 });
    expect(() => deriveHistory(spoil(ledger!))).toThrow(RangeError);
  });

  it('sums are exact up to the largest supported total, and a ledger beyond it is rejected', () => {
    const day = FIRST_SYNC_DAY;
    const report = { observedAt: 0, day, balanceMinor: 0, balanceDay: null, pendingMinor: [], holdings: null };
    const ledgerOf = (entries: readonly Entry[], more: Partial<Observation> = {}): Ledger => {
      return {
        accountType: 'depository',
        until: day,
        completeOn: day,
        entries,
        observations: [{ ...report, ...more }],
      };
    };
    const inOut = [2 ** 50 - 1, -(2 ** 50 - 1)].map((amount, index) => ({ ...entry(amount, 0), key: String(index) }));
    expect(derive(ledgerOf(inOut)).columns.cashInflows[0]).toBe(2 ** 50 - 1);
    expect(() => derive(ledgerOf(inOut, { balanceMinor: -3 }))).toThrow(SumTooLargeError);
    expect(() => derive(ledgerOf(inOut, { pendingMinor: [2, -1] }))).toThrow(SumTooLargeError);
    const holdings = Array.from({ length: 9 }, () => ({ key: 'ACME', quantity: 1, valueMinor: 2 ** 48 }));
    expect(() => derive(ledgerOf([], { holdings }))).toThrow(SumTooLargeError);
  });

  it('a portfolio whose trades add up to more than the largest supported total is rejected', () => {
    const observations = Array.from({ length: 40 }, (_, index): Observation => {
      const day = FIRST_SYNC_DAY + index;
      const holdings = [{ key: String(index), quantity: 1, valueMinor: 2 ** 46 }];
      return { observedAt: index, day, balanceMinor: 2 ** 46, balanceDay: null, pendingMinor: [], holdings };
    });
    const traded: Ledger = {
      accountType: 'crypto',
      until: FIRST_SYNC_DAY + 39,
      completeOn: null,
      entries: [],
      observations,
    };
    expect(() => derive(traded)).toThrow(SumTooLargeError);
    expect(derive({ ...traded, observations: observations.slice(0, 8) }).columns.endNonCash[7]).toBe(2 ** 46);
  });
});
