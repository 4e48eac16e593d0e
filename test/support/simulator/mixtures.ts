import { wholeBetween } from '../../../sandbox/random.js';
import { ALWAYS, type Bank, gap, type Kind, PERFECT_BANK, type Period, TYPICAL_HOLDS } from './bank.js';

const EVERYDAY = ['checking', 'savings', 'not known yet', 'card', 'second card', 'car loan'];
const BUSY = ['vending', 'transit card'];
const CARDS = ['card', 'second card'];

const HELD = { ...TYPICAL_HOLDS, inBalance: true };

type Traits = Partial<Omit<Bank, 'rows' | 'figure'>> & {
  rows?: Partial<Bank['rows']>;
  figure?: Partial<Bank['figure']>;
};

/** What users of such services report of their banks, one fault or two or three of them together. */
export const MIXTURES: Record<string, Kind> = {
  're-dated under its id': kind({ rows: { redated: 0.1 } }),
  're-dated under another id': kind({ rows: { redated: 0.1, keepsId: false } }),
  'booked by mistake, withdrawn': kind({ rows: { withdrawn: 0.05 } }),
  'two rows merged': kind({ rows: { merged: 0.1 } }),
  'one row split': kind({ rows: { split: 0.1 } }),
  'tips added': kind({ rows: { amended: 0.15 } }),
  'fuel, 1.00 at first': kind({ rows: { amended: 0.05, amendedPercent: [1000, 6000], afterDays: [1, 3] } }),
  'converted again': kind({ rows: { amended: 0.2, amendedPercent: [-2, 2], afterDays: [1, 4] } }),
  'provisional, then replaced': kind({ rows: { replaced: 0.3 } }),
  'listed twice for good': kind({ rows: { doubled: 0.02 } }),
  'listed again days later': kind({ rows: { doubled: 0.02, doubledAfterDays: [1, 6] } }),
  'tips on holds in the balance': kind({ holds: { ...TYPICAL_HOLDS, inBalance: true, otherAmount: 0.7 } }),
  'fuel holds in the balance': kind({
    holds: { ...TYPICAL_HOLDS, inBalance: true, share: 0.2 },
    figure: { heldInsteadMinor: 12_500 },
  }),
  'statement balance, dated': kind({ tellsBalanceDay: true, figure: { statement: true } }),
  'statement balance, not dated': kind({ figure: { statement: true } }),
  'balance in whole units': kind({ figure: { rounded: true } }),
  'balance in the other sign': kind({ figure: { reversed: ALWAYS } }),
  'balance in the other sign for a while': kind((random) => ({ figure: { reversed: during(random, 12) } })),
  'rows in the other sign': kind({ figure: { rowsReversed: ALWAYS } }),
  'rows in the other sign from a day on': kind((random) => ({ figure: { rowsReversed: from(random) } })),
  'balance 0 now and then': kind({ figure: { zero: 0.03 } }),
  'balance frozen': kind((random) => ({ figure: { frozen: during(random, 25) } })),
  'holds begin to count': kind((random) => ({ holds: HELD, figure: { holdsCount: from(random) } })),
  'balance begins to lag': kind((random) => ({ figure: { lags: from(random) } })),
  'balance begins to lag, dated': kind((random) => ({ tellsBalanceDay: true, figure: { lags: from(random) } })),
  'interest every day, not listed': kind({ unlisted: 1 }, ['money market']),
  'interest accrues in the balance': kind({}, ['deposit']),
  'weekly syncs': kind({ syncEveryDays: 7 }),
  'monthly syncs': kind({ syncEveryDays: 30 }),
  'twelve rows a day of few amounts': kind({}, BUSY),
  'twelve rows a day, some listed late': kind({ lateListing: { share: 0.05, days: [1, 3] } }, BUSY),
  'outage longer than the window': kind((random) => ({ gap: gap(random, true), windowDays: 30 })),
  'listed a week late': kind({ lateListing: { share: 0.1, days: [6, 12] } }),
  'weekly syncs, listed twice, dated back': kind({
    syncEveryDays: 7,
    backDating: { share: 0.1, days: [1, 5] },
    rows: { doubled: 0.02 },
  }),
  're-dated, holds in the balance': kind({ holds: HELD, rows: { redated: 0.1 } }),
  'tips added, listed late': kind({ lateListing: { share: 0.3, days: [1, 3] }, rows: { amended: 0.15 } }),
  'provisional, balance behind': kind({ staleBalance: { share: 0.3, days: [1, 2] }, rows: { replaced: 0.2 } }),
  'unlisted fees, weekly syncs': kind({ unlisted: 1, syncEveryDays: 7 }),
  'unlisted fees, listed twice': kind({ unlisted: 1, rows: { doubled: 0.02 } }),
  'outage, then withdrawn rows': kind((random) => ({ gap: gap(random, true), rows: { withdrawn: 0.05 } })),
  'statement balance, tips added': kind({
    tellsBalanceDay: true,
    figure: { statement: true },
    rows: { amended: 0.15 },
  }),
  'frozen, unlisted fees': kind((random) => ({ unlisted: 1, figure: { frozen: during(random, 25) } })),
  'other sign for a while, listed late': kind((random) => ({
    lateListing: { share: 0.3, days: [1, 3] },
    figure: { reversed: during(random, 12) },
  })),
  'whole units, listed late': kind({ lateListing: { share: 0.3, days: [1, 3] }, figure: { rounded: true } }),
  'debts positive, re-dated, holds': kind({ debtPositive: true, holds: HELD, rows: { redated: 0.1 } }, CARDS),
  'a little of all': kind({
    lateListing: { share: 0.1, days: [1, 3] },
    staleBalance: { share: 0.05, days: [1, 2] },
    unlisted: 1,
    rows: { redated: 0.02, withdrawn: 0.01, amended: 0.03, replaced: 0.02, merged: 0.01, split: 0.01, doubled: 0.005 },
    figure: { zero: 0.01 },
  }),
};

function kind(traits: Traits | ((random: () => number) => Traits), members = EVERYDAY): Kind {
  const makeBank = (random: () => number): Bank => {
    const { rows, figure, ...others } = typeof traits === 'function' ? traits(random) : traits;
    return {
      ...PERFECT_BANK,
      ...others,
      rows: { ...PERFECT_BANK.rows, ...rows },
      figure: { ...PERFECT_BANK.figure, ...figure },
    };
  };
  return { makeBank, members };
}

function during(random: () => number, days: number): Period {
  const start = wholeBetween(random, 20, 70);
  return [start, start + days];
}

function from(random: () => number): Period {
  return [wholeBetween(random, 30, 80), Infinity];
}
