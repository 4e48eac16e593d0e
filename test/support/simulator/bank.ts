import { pick, wholeBetween } from '../../../sandbox/random.js';

type Range = readonly [min: number, max: number];

/** How a bank treats its customers' data: every trait is a fault that real feeds have. */
export interface Bank {
  /** Share of entries that are listed late, and by how many days; the balance has them at once. */
  lateListing: { share: number; days: Range };
  /** Share of entries that are booked late under the earlier day; the balance moves only then. */
  backDating: { share: number; days: Range };
  /** Share of syncs at which the balance is of so many days ago. */
  staleBalance: { share: number; days: Range };
  /** Share of purchases that begin as a hold. */
  holds: { share: number; inBalance: boolean; listed: boolean; vanish: number; otherAmount: number; lingering: number };
  /** Share of interest and fees that are booked without an entry. */
  unlisted: number;
  /** Days after the first sync at which the history before it is delivered; `null`: with the first. */
  backfillAfterDays: number | null;
  /** A lapsed consent: no sync for so many days, and whether its entries are delivered afterwards. */
  gap: { startsAfterDays: number; days: number; delivered: boolean } | null;
  /** Debts are reported as positive numbers. */
  debtPositive: boolean;
  tellsBalanceDay: boolean;
  /** Trades of a brokerage are listed as entries too. */
  tradesListed: boolean;
  rows: RowFaults;
  figure: FigureFaults;
  /** It is synced every so many days. */
  syncEveryDays: number;
  /** A sync is told rows that are at most so many days old; the first sync is told all. */
  windowDays: number;
}

/** What a bank does to rows that it has listed: each a share of the rows. */
export interface RowFaults {
  /** How many days after its listing a row changes. */
  afterDays: Range;
  /** It gets another day, under its id or another. */
  redated: number;
  keepsId: boolean;
  /** It was booked by mistake, and goes. */
  withdrawn: number;
  /** Its amount changes under its id, by so many per cent; the balance moves by the difference at that moment. */
  amended: number;
  amendedPercent: Range;
  /** It was provisional, and is replaced by one of another id, day and amount. */
  replaced: number;
  /** Two rows of a day become one. */
  merged: number;
  /** It becomes two. */
  split: number;
  /** It is listed under a second id too, so many days later, for good. */
  doubled: number;
  doubledAfterDays: Range;
}

/** From a day after the first sync on, until another. */
export type Period = readonly [fromDays: number, untilDays: number];

/** What a bank does to the balance it reports. */
interface FigureFaults {
  /** It is that of the last statement, once a month. */
  statement: boolean;
  /** In whole units of the currency. */
  rounded: boolean;
  /** In the other sign. */
  reversed: Period | null;
  /** Rows are listed in the other sign. */
  rowsReversed: Period | null;
  /** Share of the syncs at which it is 0. */
  zero: number;
  /** It does not move. */
  frozen: Period | null;
  /** It lags by a day, and may be dated by its own day. */
  lags: Period | null;
  /** Holds are in the balance only then, where they are. */
  holdsCount: Period;
  /** Fuel: so much is held instead of the amount. */
  heldInsteadMinor: number;
}

export const ALWAYS: Period = [-Infinity, Infinity];

export const PERFECT_BANK: Bank = {
  lateListing: { share: 0, days: [1, 3] },
  backDating: { share: 0, days: [1, 5] },
  staleBalance: { share: 0, days: [1, 2] },
  holds: { share: 0, inBalance: false, listed: true, vanish: 0, otherAmount: 0, lingering: 0 },
  unlisted: 0,
  backfillAfterDays: null,
  gap: null,
  debtPositive: false,
  tellsBalanceDay: false,
  tradesListed: true,
  rows: {
    afterDays: [1, 5],
    redated: 0,
    keepsId: true,
    withdrawn: 0,
    amended: 0,
    amendedPercent: [5, 20],
    replaced: 0,
    merged: 0,
    split: 0,
    doubled: 0,
    doubledAfterDays: [0, 0],
  },
  figure: {
    statement: false,
    rounded: false,
    reversed: null,
    rowsReversed: null,
    zero: 0,
    frozen: null,
    lags: null,
    holdsCount: ALWAYS,
    heldInsteadMinor: 0,
  },
  syncEveryDays: 1,
  windowDays: Infinity,
};

type BankMaker = (random: () => number) => Bank;

/** A kind of bank, and whose accounts are there; `null`: a household with all kinds of accounts. */
export interface Kind {
  makeBank: BankMaker;
  members: readonly string[] | null;
}

export const TYPICAL_HOLDS = {
  share: 0.5,
  inBalance: false,
  listed: true,
  vanish: 0.05,
  otherAmount: 0.1,
  lingering: 0.1,
};

/** One fault each, so that a score tells which of them costs what. */
export const PLAIN_BANKS: Record<string, BankMaker> = {
  'no faults': () => PERFECT_BANK,
  'entries listed late': () => ({ ...PERFECT_BANK, lateListing: { share: 0.3, days: [1, 3] } }),
  'every entry listed late': () => ({ ...PERFECT_BANK, lateListing: { share: 1, days: [1, 1] } }),
  'booked late, dated earlier': () => ({ ...PERFECT_BANK, backDating: { share: 0.1, days: [1, 5] } }),
  'balance sometimes behind': () => ({ ...PERFECT_BANK, staleBalance: { share: 0.3, days: [1, 2] } }),
  'balance always a day behind': () => ({ ...PERFECT_BANK, staleBalance: { share: 1, days: [1, 1] } }),
  'holds beside the balance': () => ({ ...PERFECT_BANK, holds: TYPICAL_HOLDS }),
  'holds in the balance': () => ({ ...PERFECT_BANK, holds: { ...TYPICAL_HOLDS, inBalance: true } }),
  'holds in the balance, not listed': () => ({
    ...PERFECT_BANK,
    holds: { ...TYPICAL_HOLDS, inBalance: true, listed: false, share: 0.1 },
  }),
  'interest and fees without an entry': () => ({ ...PERFECT_BANK, unlisted: 1 }),
  'old history delivered later': (random) => ({ ...PERFECT_BANK, backfillAfterDays: wholeBetween(random, 0, 40) }),
  'consent lapsed, entries lost': (random) => ({ ...PERFECT_BANK, gap: gap(random, false) }),
  'consent lapsed, entries delivered': (random) => ({ ...PERFECT_BANK, gap: gap(random, true) }),
  'debts reported as positive': () => ({ ...PERFECT_BANK, debtPositive: true }),
  'trades without an entry': () => ({ ...PERFECT_BANK, tradesListed: false }),
  'mixed faults': mixed,
};

export function gap(random: () => number, delivered: boolean): Bank['gap'] {
  return { startsAfterDays: wholeBetween(random, 15, 50), days: 60, delivered };
}

/** Several faults at once, each as often as is met. */
function mixed(random: () => number): Bank {
  const often = (share: number) => random() < share;
  const listed = often(0.9);
  return {
    ...PERFECT_BANK,
    lateListing: {
      share: pick(random, [0, 0, 0, 0.1, 0.3, 1]),
      days: pick(random, [[1, 1] as const, [1, 3] as const]),
    },
    backDating: { share: pick(random, [0, 0, 0.02]), days: [1, 5] },
    staleBalance: { share: pick(random, [0, 0, 0, 0.1, 0.3]), days: pick(random, [[1, 1] as const, [1, 2] as const]) },
    holds: { ...TYPICAL_HOLDS, share: listed ? pick(random, [0, 0.3, 0.6]) : 0.1, inBalance: often(0.4), listed },
    unlisted: pick(random, [0, 0, 1]),
    backfillAfterDays: often(0.2) ? wholeBetween(random, 0, 10) : null,
    gap: often(0.15) ? gap(random, often(0.5)) : null,
    debtPositive: often(0.3),
    tellsBalanceDay: often(0.5),
    tradesListed: often(0.5),
  };
}
