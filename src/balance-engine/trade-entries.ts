import type { DayNumber, Entry } from './ledger.js';

/** How far the price paid may lie from the price at the next snapshot, as a share of the value. */
const PRICE_DRIFT = 0.1;
/** Trades are often booked when they are settled, some days after the securities came. */
const SETTLEMENT_DAYS = 3;
/** Above this many entries on one day, pairs of them are not tried. */
const MAX_PAIRED_ENTRIES = 16;

/** The entries that tell of a trade: mostly one; an order can also be booked in two parts, or bought and sold in a day. */
export interface TradeBooking {
  day: DayNumber;
  amountMinor: number;
}

/** Finds the entries that tell of trades, each used once. */
export class TradeEntries {
  private readonly byDay = new Map<DayNumber, Entry[]>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      const sameDay = this.byDay.get(entry.day);
      if (sameDay) sameDay.push(entry);
      else this.byDay.set(entry.day, [entry]);
    }
  }

  /**
   * The booking closest in amount to what a trade must have cost or brought, or `null`.
   *
   * @param tradedMinor what was bought (positive) or sold, at the later snapshot's price
   * @param after the moment of the earlier snapshot: what was listed by then tells of earlier trades
   */
  take(tradedMinor: number, after: number, from: DayNumber, to: DayNumber): TradeBooking | null {
    let closest: Entry[] = [];
    let distance = Math.abs(tradedMinor) * PRICE_DRIFT;
    for (let day = from; day <= to + SETTLEMENT_DAYS; day++) {
      for (const entries of this.bookingsOn(day, after)) {
        const off = Math.abs(total(entries) + tradedMinor);
        if (off < distance || (off === distance && closest.length === 0)) [closest, distance] = [entries, off];
      }
    }
    const [first] = closest;
    if (!first) return null;
    const sameDay = this.byDay.get(first.day)!;
    this.byDay.set(
      first.day,
      sameDay.filter((entry) => !closest.includes(entry)),
    );
    return { day: first.day, amountMinor: total(closest) };
  }

  private *bookingsOn(day: DayNumber, after: number): Generator<Entry[]> {
    const entries = this.byDay.get(day)?.filter(({ firstSeenAt }) => firstSeenAt > after) ?? [];
    for (const entry of entries) yield [entry];
    if (entries.length > MAX_PAIRED_ENTRIES) return;
    for (const [index, entry] of entries.entries()) for (const other of entries.slice(index + 1)) yield [entry, other];
  }
}

function total(entries: readonly Entry[]): number {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
