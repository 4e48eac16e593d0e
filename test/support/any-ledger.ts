import fc from 'fast-check';
import {
  ACCOUNT_TYPES,
  type AccountType,
  type Entry,
  type Ledger,
  type Observation,
  type Position,
} from '../../src/balances/engine/ledger.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** 2024-10-04, for no reason. */
export const FIRST_SYNC_DAY = 20_000;

const TYPES: readonly (AccountType | null)[] = [null, ...ACCOUNT_TYPES];
const TYPES_MOVED_BY_ENTRIES = [null, 'depository', 'credit_card', 'loan', 'other_liability'] as const;
export const LIABILITIES: readonly (AccountType | null)[] = ['credit_card', 'loan', 'other_liability'];

export const isMovedByEntries = ({ accountType }: Ledger) =>
  (TYPES_MOVED_BY_ENTRIES as readonly unknown[]).includes(accountType);

const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -500_00, max: 500_00 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, -1, -12_50, -12_50, 1_000_00) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 45), max: 2 ** 45 }) },
);
const holds = fc.array(fc.integer({ min: -90_00, max: 20_00 }), { maxLength: 3 });
const positions = fc.array(
  fc.record<Position>({
    key: fc.constantFrom('ACME', 'BND', 'CSH'),
    quantity: fc.constantFrom(0, 0.5, 1, 2, 10, 0.001_5),
    valueMinor: fc.integer({ min: 0, max: 5_000_00 }),
  }),
  { maxLength: 4 },
);
/** Moments at which a bank was asked: mostly a day apart, some on one day, some after months. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(24) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 1, arbitrary: fc.integer({ min: 48, max: 70 * 24 }) },
  ),
  { maxLength: 14 },
);

function momentsOf(hours: readonly number[]): number[] {
  let moment = FIRST_SYNC_DAY * DAY_MS + 7 * HOUR_MS;
  return [moment, ...hours.map((more) => (moment += more * HOUR_MS))];
}

const dayOf = (moment: number) => Math.floor(moment / DAY_MS);

/** Any facts at all, whether or not a bank could have told them. */
export const anyLedger: fc.Arbitrary<Ledger> = steps.chain((hours) => {
  const moments = momentsOf(hours);
  const last = dayOf(moments.at(-1)!);
  const observation = (observedAt: number) =>
    fc.record<Observation>({
      observedAt: fc.constant(observedAt),
      day: fc.constant(dayOf(observedAt)),
      balanceMinor: amount,
      balanceDay: fc.option(fc.integer({ min: dayOf(observedAt) - 3, max: dayOf(observedAt) })),
      pendingMinor: holds,
      holdings: fc.option(positions),
    });
  const entry = fc.record({
    day: fc.integer({ min: FIRST_SYNC_DAY - 40, max: last + 5 }),
    amountMinor: amount,
    listedFrom: fc.constantFrom(...moments),
    listedUntil: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(...moments) },
    ),
  });
  return fc.record<Ledger>({
    accountType: fc.constantFrom(...TYPES),
    until: fc.integer({ min: last - 1, max: last + 40 }),
    completeOn: fc.option(fc.integer({ min: last - 3, max: last + 40 })),
    entries: fc.array(entry, { maxLength: 25 }).map((entries) => entries.map(asEntry)),
    observations: fc.tuple(...moments.map(observation)),
  });
});

function asEntry(entry: Pick<Entry, 'day' | 'amountMinor' | 'listedFrom'> & Partial<Entry>, index: number): Entry {
  const { listedFrom, listedUntil = null } = entry;
  const hasEnded = listedUntil !== null && listedUntil > listedFrom;
  return { ...entry, key: String(index), listedUntil: hasEnded ? listedUntil : null };
}

/** Many transactions a day of few amounts, some listed later: where the order could decide which of them is meant. */
export const busyLedger: fc.Arbitrary<Ledger> = fc
  .tuple(
    fc.constantFrom<AccountType>('depository', 'credit_card', 'investment'),
    fc.array(
      fc.record({
        offset: fc.integer({ min: 0, max: 9 }),
        amountMinor: fc.constantFrom(-100, -250, -300, -400),
        late: fc.constantFrom(0, 0, 1, 2),
      }),
      { minLength: 20, maxLength: 60 },
    ),
    fc.array(fc.constantFrom(0, 0, -100, 250), { minLength: 12, maxLength: 12 }),
  )
  .map(([accountType, rows, offs]) => {
    const noonOf = (day: number) => day * DAY_MS + 12 * HOUR_MS;
    const entries = rows.map(({ offset, amountMinor, late }, index) => {
      const day = FIRST_SYNC_DAY + offset;
      return asEntry({ day, amountMinor, listedFrom: noonOf(day + late) }, index);
    });
    const observations = offs.map((off, offset): Observation => {
      const day = FIRST_SYNC_DAY + offset;
      const booked = entries.filter((entry) => entry.day <= day).reduce((sum, entry) => sum + entry.amountMinor, 0);
      const holdings = accountType === 'investment' ? [{ key: 'ACME', quantity: 1 + offset, valueMinor: 100 }] : null;
      const report = { observedAt: noonOf(day), day, balanceDay: null, pendingMinor: [], holdings };
      return { ...report, balanceMinor: 50_000 + booked + off };
    });
    const until = FIRST_SYNC_DAY + 11;
    return { accountType, until, completeOn: until, entries, observations };
  });

/** A feed and the books behind it. */
interface ToldTruth {
  ledger: Ledger;
  /** What was in the account before the first entry, holder's view. */
  openingMinor: number;
}

/**
 * What a bank without faults tells of an account that entries move: every entry is listed with the first balance after
 * its booking and is part of it. Holds come and go beside the balance.
 */
export const faultlessFeed = faultlessFeedOf(steps, TYPES_MOVED_BY_ENTRIES);

function faultlessFeedOf(
  steps: fc.Arbitrary<number[]>,
  types: readonly (AccountType | null)[],
): fc.Arbitrary<ToldTruth> {
  return fc
    .record({
      accountType: fc.constantFrom(...types),
      openingMinor: fc.integer({ min: -3_000_00, max: 9_000_00 }),
      moments: steps.map(momentsOf),
      bookings: fc.array(fc.tuple(fc.integer({ min: -30 * 24, max: 60 * 24 }), amount), { maxLength: 30 }),
      holds: fc.array(holds, { minLength: 15, maxLength: 15 }),
    })
    .map(({ accountType, openingMinor, moments, bookings, holds }) => {
      const entries: Entry[] = [];
      for (const [hour, amountMinor] of bookings) {
        const bookedAt = FIRST_SYNC_DAY * DAY_MS + hour * HOUR_MS;
        const listedFrom = moments.find((moment) => moment >= bookedAt);
        if (listedFrom !== undefined) {
          const key = String(entries.length);
          entries.push({ key, day: dayOf(bookedAt), amountMinor, listedFrom, listedUntil: null });
        }
      }
      // A loan that is overpaid is no loan: what is owed has no sign there.
      const isLoan = accountType === 'loan' || accountType === 'other_liability';
      const turnover = entries.reduce((sum, { amountMinor }) => sum + Math.abs(amountMinor), 1);
      const opening = isLoan ? -turnover - Math.abs(openingMinor) : openingMinor;
      const observations = moments.map((observedAt, index): Observation => {
        const seen = entries.filter(({ listedFrom }) => listedFrom <= observedAt);
        return {
          ...{ observedAt, day: dayOf(observedAt), balanceDay: null, pendingMinor: holds[index] ?? [], holdings: null },
          balanceMinor: opening + seen.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        };
      });
      const until = dayOf(moments.at(-1)!);
      return { ledger: { accountType, until, completeOn: until, entries, observations }, openingMinor: opening };
    });
}

/**
 * Daily reports of an account whose bank lists some transactions twice, and dates all of them up to two days before or
 * after they were booked: where the person is, tomorrow's may be listed today. The cash of a portfolio, too, which has no
 * past before the first report.
 */
export const doubledFeed: fc.Arbitrary<Ledger> = fc
  .record({
    isPortfolio: fc.boolean(),
    shift: fc.integer({ min: -2, max: 2 }),
    booked: fc.array(
      fc.record({
        amountMinor: fc.integer({ min: -500_00, max: 500_00 }),
        isTwice: fc.constantFrom(false, false, true),
      }),
      { minLength: 3, maxLength: 9 },
    ),
  })
  .map(({ isPortfolio, shift, booked }) => {
    const momentOf = (index: number) => (FIRST_SYNC_DAY + index) * DAY_MS + 20 * HOUR_MS;
    let balanceMinor = 1_000_00;
    const observations = booked.map(({ amountMinor }, index): Observation => {
      if (index > 0) balanceMinor += amountMinor;
      const holdings = isPortfolio ? [{ key: 'ACME', quantity: 1, valueMinor: 100_00 }] : null;
      const report = { observedAt: momentOf(index), day: FIRST_SYNC_DAY + index, balanceDay: null, pendingMinor: [] };
      return { ...report, balanceMinor, holdings };
    });
    const entries = booked.slice(1).flatMap(({ amountMinor, isTwice }, index) => {
      const listed = { day: FIRST_SYNC_DAY + index + 1 + shift, amountMinor, listedFrom: momentOf(index + 1) };
      return isTwice ? [listed, listed] : [listed];
    });
    const until = FIRST_SYNC_DAY + booked.length - 1;
    return {
      accountType: isPortfolio ? 'investment' : 'depository',
      until,
      completeOn: until,
      entries: entries.map(asEntry),
      observations,
    };
  });

/** A faultless feed of daily syncs, and the same where one entry of the days between was listed one or two syncs late. */
interface LateListing {
  punctual: Ledger;
  /** The balance had the entry at once: the list was behind. */
  inBalance: Ledger;
  /** The balance moves only when the entry is listed: the bank booked it late, under its earlier day. */
  backDated: Ledger;
}

export const lateListing: fc.Arbitrary<LateListing> = fc
  .tuple(
    faultlessFeedOf(fc.array(fc.constant(24), { minLength: 6, maxLength: 14 }), [null, 'depository']),
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 1, max: 500_00 }),
    fc.nat(),
  )
  .map(([{ ledger }, syncsLate, spentMinor, choice]) => {
    const { observations, entries } = ledger;
    const due = 2 + (choice % (observations.length - 4 - syncsLate + 1));
    const { observedAt, day } = observations[due]!;
    const late = {
      ...{ key: 'late', day, amountMinor: -spentMinor, listedUntil: null },
      listedFrom: observations[due + syncsLate]!.observedAt,
    };
    const without = (from: number) =>
      observations.map((report, index) =>
        index < from ? report : { ...report, balanceMinor: report.balanceMinor - spentMinor },
      );
    return {
      punctual: { ...ledger, entries: [...entries, { ...late, listedFrom: observedAt }], observations: without(due) },
      inBalance: { ...ledger, entries: [...entries, late], observations: without(due) },
      backDated: { ...ledger, entries: [...entries, late], observations: without(due + syncsLate) },
    };
  });

/** What was known after the first syncs of a ledger. */
export function afterSyncs(ledger: Ledger, syncs: number): Ledger {
  const observations = ledger.observations.slice(0, syncs);
  const { observedAt, day } = observations.at(-1)!;
  const entries = ledger.entries.filter(({ listedFrom }) => listedFrom <= observedAt);
  return { ...ledger, until: day, completeOn: day, observations, entries };
}
