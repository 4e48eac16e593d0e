import { type Arrivals, DOUBT_DAYS, LISTING_DAYS } from './arrivals.js';
import type { Habits } from './habits.js';
import type { ReadEntries } from './readings.js';
import type { Reports } from './reports.js';
import { type Evidence, HOLD_DAYS, SETTLING_DAYS } from './story.js';

/**
 * How many of the nearest entries are in doubt: where one of them is turned round, where two are, where three are. With
 * more in doubt at once, or more of them turned round, their sums would meet any level by chance.
 */
const MAX_IN_DOUBT = [40, 14, 10] as const;
/** The readings by which entries are in doubt, beside the usual one: those by which the balance is not behind the list. */
const DOUBTED_READINGS = [0, 1, 2] as const;
/** What an entry that is turned round makes of the balance, beside the list. */
const NEITHER = 0;
const AHEAD = 1;
const BEHIND = 2;
const BOTH = AHEAD | BEHIND;

/** What it costs to believe, in bits: the less likely, the dearer. */
const BITS = {
  /** An entry is part of the balance though the reading says no, or the other way round. */
  turned: 3,
  /** A hold that was never listed was part of the balance before it was booked. */
  held: 3,
  /** A listed hold is not what the habit says. */
  hold: 4,
  /** At one moment the balance is ahead of the list with one entry, and behind it with another. */
  bothWays: 4,
  /** The balance lacks one entry alone, and has one that was listed later: what is behind lacks the newest. */
  overtaken: 4,
  /** An amount that nothing tells. */
  anyAmount: 13,
};

interface Doubt {
  /** What the level moves by if the entry is turned round. */
  amountMinor: number;
  bits: number;
  /** What it costs more if no other is turned with it. */
  aloneBits: number;
  /** `AHEAD`, `BEHIND` or `NEITHER`. */
  way: number;
}

/** @param unexplained for every reading what it leaves unexplained at each observation */
export function toEvidence(
  reports: Reports,
  { holdsIncluded, readingBits, lateBits, beside }: Habits,
  unexplained: readonly Float64Array[],
  arrivals: Arrivals,
  { starts, earliest, latest }: ReadEntries,
): Evidence {
  const { day: days, holds } = reports;
  const { entries } = arrivals;
  const likely = unexplained.map((_, rank) => rank).sort((a, b) => readingBits[a]! - readingBits[b]!);
  const usual = likely[0]!;
  const known: Map<number, number>[] = [];
  const echoes: Map<number, number>[] = [];
  const levelsAt = (index: number) => (known[index] ??= findLevelsAt(index));

  function findLevelsAt(index: number): Map<number, number> {
    const levels = new Map<number, number>();
    for (const rank of likely) keepCheapest(levels, unexplained[rank]![index]!, readingBits[rank]!);
    const list = beside[index]!;
    const inDoubt = entriesInDoubt(list);
    for (const rank of new Set([usual, ...DOUBTED_READINGS])) {
      const doubts = [...holds[list]!.map(toHoldDoubt), ...inDoubt.map((entry) => toDoubt(entry, list, rank))];
      const level = unexplained[rank]![index]!;
      turn(levels, level, readingBits[rank]!, doubts);
    }
    return levels;
  }

  function toHoldDoubt(amount: number): Doubt {
    return { amountMinor: holdsIncluded ? amount : -amount, bits: BITS.hold, aloneBits: 0, way: NEITHER };
  }

  function toDoubt(entry: number, index: number, rank: number): Doubt {
    const { amountMinor, day } = entries[entry]!;
    const isIn = starts[rank]![entry]! <= index;
    const isListed = arrivals.seen[entry]! <= index;
    const way = isIn !== isListed ? NEITHER : isIn ? BEHIND : AHEAD;
    const bits = day > days[index]! ? BITS.held : BITS.turned;
    const aloneBits = way === BEHIND && isOvertaken(entry, index, rank) ? BITS.overtaken : 0;
    return { amountMinor: isIn ? amountMinor : -amountMinor, bits, aloneBits, way };
  }

  /** Whether the balance has another entry that was booked no earlier and listed later. */
  function isOvertaken(entry: number, index: number, rank: number): boolean {
    const { day } = entries[entry]!;
    for (let later = arrivals.seen[entry]! + 1; later <= index; later++) {
      for (const other of arrivals.firstSeenAt(later)) {
        if (entries[other]!.day >= day && starts[rank]![other]! <= index) return true;
      }
    }
    return false;
  }

  /** Those about which the readings disagree, and those dated later that may have been held; the nearest days first. */
  function entriesInDoubt(index: number): number[] {
    const nearest: number[] = [];
    const day = days[index]!;
    const distance = (entry: number) => Math.abs(entries[entry]!.day - day);
    // A few of what may be thousands, so that they are not all sorted.
    const keep = (entry: number) => {
      let place = nearest.length;
      while (place > 0 && distance(nearest[place - 1]!) > distance(entry)) place--;
      if (place === MAX_IN_DOUBT[0]) return;
      if (nearest.length === MAX_IN_DOUBT[0]) nearest.pop();
      nearest.splice(place, 0, entry);
    };
    const consider = (seen: number) => {
      for (const entry of arrivals.firstSeenAt(seen)) {
        const { day: booked, amountMinor } = entries[entry]!;
        if (booked < day - DOUBT_DAYS || amountMinor === 0) continue;
        const isHeld = amountMinor < 0 && booked > day && booked - day <= HOLD_DAYS && seen > index;
        if (isHeld || isDisputed(entry, index)) keep(entry);
      }
    };
    for (let before = index; before >= 0 && day - days[before]! <= DOUBT_DAYS; before--) consider(before);
    for (let after = index + 1; after < days.length && days[after]! - day <= SETTLING_DAYS; after++) consider(after);
    return nearest;
  }

  function isDisputed(entry: number, index: number): boolean {
    return earliest[entry]! <= index && index < latest[entry]!;
  }

  /** The changes that only undo entries first listed with an observation. */
  function findEchoes(index: number): Map<number, number> {
    const echoes = new Map<number, number>();
    const listed = arrivals.firstSeenAt(index);
    if (listed.length > MAX_IN_DOUBT[2]) return echoes;
    const doubts = Array.from(listed, (entry) => ({
      amountMinor: -entries[entry]!.amountMinor,
      bits: 0,
      aloneBits: 0,
      way: NEITHER,
    }));
    turn(echoes, 0, 0, doubts);
    return echoes;
  }

  return {
    days,
    cost: (index, amountMinor) => {
      if (unexplained[usual]![index] === amountMinor) return readingBits[usual]!;
      return levelsAt(index).get(amountMinor) ?? -1;
    },
    usualBits: readingBits[usual]!,
    turnedBits: readingBits[usual]! + BITS.turned,
    plain: (index) => unexplained[usual]![index]!,
    asItStands: (index) => unexplained[0]![index]!,
    pending: (index) => (days.at(-1)! - days[index]! <= LISTING_DAYS ? BITS.anyAmount + lateBits : Infinity),
    beginnings: levelsAt,
    isEcho: (index, change) => (echoes[index] ??= findEchoes(index)).has(change),
  };
}

/** Adds every level that is met when some of the doubts, the nearest of which come first, are turned. */
function turn(
  levels: Map<number, number>,
  level: number,
  bits: number,
  doubts: readonly Doubt[],
  from = 0,
  before = 0,
  ways = NEITHER,
): void {
  const end = before === 0 ? doubts.length : Math.min(doubts.length, MAX_IN_DOUBT[before]!);
  for (let index = from; index < end; index++) {
    const { amountMinor, bits: own, aloneBits, way } = doubts[index]!;
    const turned = level + amountMinor;
    const isBoth = (ways | way) === BOTH && ways !== BOTH;
    const cost = bits + own + (isBoth ? BITS.bothWays : 0);
    keepCheapest(levels, turned, before === 0 ? cost + aloneBits : cost);
    if (before + 1 < MAX_IN_DOUBT.length) turn(levels, turned, cost, doubts, index + 1, before + 1, ways | way);
  }
}

function keepCheapest(levels: Map<number, number>, amountMinor: number, bits: number): void {
  const known = levels.get(amountMinor);
  if (known === undefined || bits < known) levels.set(amountMinor, bits);
}
