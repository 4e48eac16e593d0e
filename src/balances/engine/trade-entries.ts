import { alignSums, movesByRule } from './inference/alignment-rules.js';
import { BEHIND_DAYS, type FirstSeenIndex, type Movement } from './inference/first-seen.js';
import type { DayNumber } from './ledger.js';
import type { TradeAmounts } from './positions.js';
import type { Reports } from './reports.js';

/** How far the price paid may lie from that of a snapshot, as a share of the value. */
const PRICE_DRIFT = 0.1;
/** Above this many entries on one day, pairs of them are not tried. */
const MAX_PAIRED_ENTRIES = 16;

/** The entries that list a trade: mostly one; an order can also be booked in two parts, or bought and sold in a day. */
interface TradeBooking {
  day: DayNumber;
  amountMinor: number;
}

interface TradeCash {
  /** Which of the amounts it may be worth fits what was paid; the first where none does. */
  tradedMinor: number;
  /** What lists the trade among the entries, if anything does. */
  booking: TradeBooking | null;
  /** By how much an unlisted trade moved the cash, holder's view. */
  unlistedMinor: number;
}

interface Candidate extends Movement {
  seen: number;
}

/** Finds out for each trade how it moved the cash: by an entry, each used once, or unlisted. */
export class TradeEntries {
  private readonly byDay = new Map<DayNumber, DayEntries>();
  /** For each observation, the movement of the cash that the entries first listed with it do not explain. */
  private readonly amiss: Float64Array;
  /** The same under the alignment rule that leaves least unexplained, less the unlisted trades found so far. */
  private readonly moved: Float64Array;

  constructor(firstSeen: FirstSeenIndex, reports: Reports) {
    const { sums } = alignSums(firstSeen, reports);
    this.amiss = new Float64Array(reports.count);
    this.moved = new Float64Array(reports.count);
    for (let index = 1; index < reports.count; index++) {
      const unexplained = unexplainedAt(index, reports.reported, sums);
      this.amiss[index] = unexplained[0]!;
      this.moved[index] = nearestToZero(unexplained);
    }
    const candidates = firstSeen.movements.map((movement, index) => ({ ...movement, seen: firstSeen.seen[index]! }));
    for (const [day, entries] of Map.groupBy(candidates, ({ day }) => day)) {
      this.byDay.set(day, new DayEntries(entries, this.amiss));
    }
  }

  /**
   * @param amounts what may have been bought (positive) or sold
   * @param index the later snapshot
   * @param from the day of the earlier snapshot
   * @param to the day of the later one
   */
  take(amounts: TradeAmounts, index: number, from: DayNumber, to: DayNumber): TradeCash {
    // Trades are often booked when they are settled, some days after the securities came.
    const [tradedMinor, closest] = this.closest(amounts, index, from, to + BEHIND_DAYS);
    const [first] = closest;
    if (first) {
      this.byDay.get(first.day)!.use(closest);
      return { tradedMinor, booking: { day: first.day, amountMinor: total(closest) }, unlistedMinor: 0 };
    }
    const moved = this.moved[index]!;
    const unpaid = nearestToZero([moved, ...amounts.map((amountMinor) => moved + amountMinor)]);
    if (unpaid === moved) return { tradedMinor, booking: null, unlistedMinor: 0 };
    this.moved[index] = unpaid;
    return { tradedMinor: unpaid - moved, booking: null, unlistedMinor: moved - unpaid };
  }

  /** The amount that entries fit best, and these; the first amount and none where no entries are near any. */
  private closest(amounts: TradeAmounts, index: number, from: DayNumber, to: DayNumber): [number, Candidate[]] {
    let closest: [number, Candidate[]] = [amounts[0], []];
    let least = Infinity;
    for (const tradedMinor of amounts) {
      for (let day = from; day <= to; day++) {
        for (const entries of this.byDay.get(day)?.bookings(index, -tradedMinor) ?? []) {
          const off = Math.abs((total(entries) + tradedMinor) / tradedMinor);
          const isCloser = off <= PRICE_DRIFT && off < least;
          if (isCloser && this.lists(entries, index, tradedMinor)) [closest, least] = [[tradedMinor, entries], off];
        }
      }
    }
    return closest;
  }

  /**
   * An entry first listed with the snapshot lists the trade, unless as much cash moved that no entry explains. One
   * listed later does if its report has unexplained cash: an unrelated entry moves the cash by its own amount.
   */
  private lists(entries: readonly Candidate[], index: number, tradedMinor: number): boolean {
    const movedOnceMore = Math.abs(this.moved[index]! + tradedMinor) <= Math.abs(tradedMinor) * PRICE_DRIFT;
    return entries.every(({ seen }) => (seen === index ? !movedOnceMore : seen > index && this.amiss[seen] !== 0));
  }
}

/** The entries of one day that list no trade yet, by amount; of equal ones the first seen comes first. */
class DayEntries {
  readonly #entries: Candidate[];
  /** Those that may list a trade of one observation: first seen with it, and later. */
  #possible: readonly [Candidate[], Candidate[]] = [[], []];
  #index = -1;

  constructor(
    entries: Candidate[],
    private readonly amiss: Float64Array,
  ) {
    // In whatever order a database returns them, the same one is taken.
    this.#entries = entries.sort((a, b) => a.amountMinor - b.amountMinor || a.seen - b.seen);
  }

  /** What may list a trade of an observation, in the order of preference: of each kind the entry nearest to an amount, then pairs. */
  *bookings(index: number, amountMinor: number): Generator<Candidate[]> {
    for (const entries of this.#possibleAt(index)) {
      const entry = nearest(entries, amountMinor);
      if (entry) yield [entry];
    }
    if (this.#entries.length > MAX_PAIRED_ENTRIES) return;
    const entries = this.#entries.toSorted((a, b) => a.seen - b.seen);
    for (const [place, entry] of entries.entries()) for (const other of entries.slice(place + 1)) yield [entry, other];
  }

  use(used: readonly Candidate[]): void {
    for (const entries of [this.#entries, ...this.#possible]) {
      for (const entry of used) {
        const place = entries.indexOf(entry);
        if (place >= 0) entries.splice(place, 1);
      }
    }
  }

  #possibleAt(index: number): readonly [Candidate[], Candidate[]] {
    if (this.#index === index) return this.#possible;
    this.#index = index;
    return (this.#possible = [
      this.#entries.filter(({ seen }) => seen === index),
      this.#entries.filter(({ seen }) => seen > index && this.amiss[seen] !== 0),
    ]);
  }
}

/** Of entries by amount the one nearest to an amount; of two as near to it, the one seen first. */
function nearest(entries: readonly Candidate[], amountMinor: number): Candidate | undefined {
  const place = firstFrom(entries, amountMinor);
  const above = entries[place];
  if (place === 0) return above;
  const below = entries[firstFrom(entries, entries[place - 1]!.amountMinor)]!;
  if (!above) return below;
  const farther = above.amountMinor - amountMinor - (amountMinor - below.amountMinor);
  return farther > 0 || (farther === 0 && below.seen <= above.seen) ? below : above;
}

/** The place of the first of entries by amount that has at least an amount. */
function firstFrom(entries: readonly Candidate[], amountMinor: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.amountMinor >= amountMinor) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** By rule, what entries leave unexplained of the movement of the cash before an observation. */
function unexplainedAt(index: number, reported: Float64Array, sums: Float64Array): number[] {
  const moved = reported[index]! - reported[index - 1]!;
  return movesByRule(sums, index, index - 1).map((listed) => moved - listed);
}

function nearestToZero(amounts: readonly number[]): number {
  return amounts.reduce((nearest, amount) => (Math.abs(amount) < Math.abs(nearest) ? amount : nearest));
}

function total(entries: readonly Movement[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
