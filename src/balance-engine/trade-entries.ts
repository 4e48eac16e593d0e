import { alignSums, RULE_COUNT } from './inference/alignment-rules.js';
import type { FirstSeenIndex } from './inference/first-seen.js';
import type { Movement } from './inference/movement.js';
import type { DayNumber } from './ledger.js';
import type { Reports } from './reports.js';

/** How far the price paid may lie from the price at the next snapshot, as a share of the value. */
const PRICE_DRIFT = 0.1;
/** Trades are often booked when they are settled, some days after the securities came. */
const SETTLEMENT_DAYS = 3;
/** Above this many entries on one day, pairs of them are not tried. */
const MAX_PAIRED_ENTRIES = 16;

/** The entries that list a trade: mostly one; an order can also be booked in two parts, or bought and sold in a day. */
export interface TradeBooking {
  day: DayNumber;
  amountMinor: number;
}

export interface TradeCash {
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
  private readonly byDay = new Map<DayNumber, Candidate[]>();
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
    // In whatever order a database returns them, the same one is taken.
    candidates.sort((a, b) => a.seen - b.seen || a.amountMinor - b.amountMinor);
    for (const candidate of candidates) {
      const sameDay = this.byDay.get(candidate.day);
      if (sameDay) sameDay.push(candidate);
      else this.byDay.set(candidate.day, [candidate]);
    }
  }

  /**
   * @param tradedMinor what was bought (positive) or sold, at the later snapshot's price
   * @param index the later snapshot
   * @param from the day of the earlier snapshot
   * @param to the day of the later one
   */
  take(tradedMinor: number, index: number, from: DayNumber, to: DayNumber): TradeCash {
    let closest: Candidate[] = [];
    let distance = Math.abs(tradedMinor) * PRICE_DRIFT;
    for (let day = from; day <= to + SETTLEMENT_DAYS; day++) {
      for (const entries of this.bookingsOn(day)) {
        const off = Math.abs(total(entries) + tradedMinor);
        const isCloser = off < distance || (off === distance && closest.length === 0);
        if (isCloser && this.lists(entries, index, tradedMinor)) [closest, distance] = [entries, off];
      }
    }
    const [first] = closest;
    if (first) return { booking: this.use(closest, first.day), unlistedMinor: 0 };
    const moved = this.moved[index]!;
    if (Math.abs(moved + tradedMinor) >= Math.abs(moved)) return { booking: null, unlistedMinor: 0 };
    this.moved[index] = moved + tradedMinor;
    return { booking: null, unlistedMinor: -tradedMinor };
  }

  /**
   * An entry first listed with the snapshot lists the trade, unless as much cash moved that no entry explains. One
   * listed later does if its report has unexplained cash: an unrelated entry moves the cash by its own amount.
   */
  private lists(entries: readonly Candidate[], index: number, tradedMinor: number): boolean {
    const movedOnceMore = Math.abs(this.moved[index]! + tradedMinor) <= Math.abs(tradedMinor) * PRICE_DRIFT;
    return entries.every(({ seen }) => (seen === index ? !movedOnceMore : seen > index && this.amiss[seen] !== 0));
  }

  private use(entries: readonly Candidate[], day: DayNumber): TradeBooking {
    this.byDay.set(
      day,
      this.byDay.get(day)!.filter((entry) => !entries.includes(entry)),
    );
    return { day, amountMinor: total(entries) };
  }

  private *bookingsOn(day: DayNumber): Generator<Candidate[]> {
    const entries = this.byDay.get(day) ?? [];
    for (const entry of entries) yield [entry];
    if (entries.length > MAX_PAIRED_ENTRIES) return;
    for (const [index, entry] of entries.entries()) for (const other of entries.slice(index + 1)) yield [entry, other];
  }
}

/** By rule, what entries leave unexplained of the movement of the cash before an observation. */
function unexplainedAt(index: number, reported: Float64Array, sums: Float64Array): number[] {
  const moved = reported[index]! - reported[index - 1]!;
  const at = index * RULE_COUNT;
  return Array.from({ length: RULE_COUNT }, (_, rule) => moved - (sums[at + rule]! - sums[at - RULE_COUNT + rule]!));
}

function nearestToZero(amounts: readonly number[]): number {
  return amounts.reduce((nearest, amount) => (Math.abs(amount) < Math.abs(nearest) ? amount : nearest));
}

function total(entries: readonly Movement[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
