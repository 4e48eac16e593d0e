import type { Arrivals } from './arrivals.js';
import type { Habits } from './habits.js';
import type { Entry } from './ledger.js';
import { type Beginning, type Evidence, SETTLING_DAYS } from './levels.js';
import type { Reports } from './reports.js';

/** With more entries in doubt than this, none of their sums would prove anything. */
const MAX_IN_DOUBT = 7;
/** How long a balance lags behind the list, or an entry is booked after its day, where a few are in doubt. */
const DOUBT_DAYS = 5;

/** What it costs to believe, for each reading down the list, and where single entries have to be turned round. */
const READING_COST = 0.005;
const LATE_COST = 0.15;
const HELD_COST = 0.05;
const MISSING_COST = 0.3;
/** To begin with a hold that was never listed is dearer than a lasting change, and cheaper than one that is an echo. */
const HELD_FROM_THE_BEGINNING_COST = 1.1;

/** The levels that an observation meets if some of the entries listed about that time are turned round. */
interface Doubts {
  late: Set<number>;
  held: Set<number>;
  missing: Set<number>;
}

/**
 * @param unexplained for every reading, the plainest first and "the list is behind" second, what it leaves unexplained at
 * each observation
 */
export function toEvidence(
  reports: Reports,
  { holdsIncluded }: Habits,
  unexplained: readonly Float64Array[],
  arrivals: Arrivals,
): Evidence {
  const { day: days, holds } = reports;
  const agreed = unexplained[0]!;
  const listBehind = unexplained[1]!;
  const known: Doubts[] = [];
  const doubtsAt = (index: number) => (known[index] ??= findDoubts(index));

  function findDoubts(index: number): Doubts {
    const later = listedSoonAfter(arrivals, days, index);
    // In the balance already, though "the list is behind" says no; or not yet, though it says yes.
    const turned = ({ day, amountMinor }: Entry) => (day < days[index]! ? amountMinor : -amountMinor);
    const late = later.filter(({ day }) => day <= days[index]!).map(turned);
    const missing = [...(holdsIncluded ? holds[index]! : []), ...listedShortlyBefore(arrivals, days, index)];
    return {
      late: sums(listBehind[index]!, late),
      held: sums(listBehind[index]!, later.map(turned)),
      missing: sums(agreed[index]!, missing),
    };
  }

  function cost(index: number, amountMinor: number): number {
    for (let rank = 0; rank < unexplained.length; rank++) {
      if (unexplained[rank]![index] === amountMinor) return rank * READING_COST;
    }
    const { late, held, missing } = doubtsAt(index);
    if (late.has(amountMinor)) return LATE_COST;
    if (held.has(amountMinor)) return HELD_COST;
    return missing.has(amountMinor) ? MISSING_COST : -1;
  }

  function* beginnings(index: number): Generator<Beginning> {
    for (const [rank, reading] of unexplained.entries()) {
      yield { amountMinor: reading[index]!, cost: rank * READING_COST };
    }
    const { late, held, missing } = doubtsAt(index);
    for (const amountMinor of late) yield { amountMinor, cost: LATE_COST };
    for (const amountMinor of missing) yield { amountMinor, cost: MISSING_COST };
    for (const amountMinor of held) yield { amountMinor, cost: HELD_FROM_THE_BEGINNING_COST };
  }

  function isEcho(index: number, change: number): boolean {
    const listed = arrivals.firstSeenAt(index).map(({ amountMinor }) => -amountMinor);
    return sums(0, listed).has(change);
  }

  return { days, cost, plain: (index) => listBehind[index]!, beginnings, isEcho };
}

/** Entries listed after an observation, of its day, of a few days before it, or of later ones. */
function listedSoonAfter(arrivals: Arrivals, days: Float64Array, index: number): Entry[] {
  const entries: Entry[] = [];
  for (let seen = index + 1; seen < days.length && days[seen]! - days[index]! <= SETTLING_DAYS; seen++) {
    for (const entry of arrivals.firstSeenAt(seen)) if (days[index]! - entry.day <= DOUBT_DAYS) entries.push(entry);
    if (entries.length >= MAX_IN_DOUBT) break;
  }
  return entries;
}

/** Amounts of the entries listed with a balance, or shortly before it, that it may lack. */
function listedShortlyBefore(arrivals: Arrivals, days: Float64Array, index: number): number[] {
  const amounts: number[] = [];
  for (let seen = index; seen > 0 && days[index]! - days[seen]! <= DOUBT_DAYS; seen--) {
    for (const { day, amountMinor } of arrivals.firstSeenAt(seen)) {
      if (days[seen]! - day <= DOUBT_DAYS) amounts.push(amountMinor);
    }
    if (amounts.length >= MAX_IN_DOUBT) break;
  }
  return amounts;
}

/** A start with every sum of some of the first amounts added to it. */
function sums(start: number, amounts: readonly number[]): Set<number> {
  const all = new Set([start]);
  for (const amount of amounts.slice(0, MAX_IN_DOUBT))
    if (amount !== 0) for (const sum of [...all]) all.add(sum + amount);
  return all;
}
