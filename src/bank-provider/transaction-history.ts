import { addDays, type CalendarDate } from '../time/calendar-date.js';
import type { KnownPart, SnapshotTransaction } from './bank-provider.js';

/** A bank that has nothing in so many windows one after the other has nothing before them either. */
const EMPTY_WINDOWS_TO_STOP = 2;
/** Rows this far outside what was asked for are wrong at the bank; nearer ones are a matter of time zones. */
const FAR_DAYS = 31;

/** A part of the past, asked for at once. */
export interface Window {
  from: CalendarDate;
  /** The day after the last one; `null`: until now. */
  until: CalendarDate | null;
}

export interface HistoryWanted {
  today: CalendarDate;
  /** The first day needed; `null` when asking for more would bring nothing. */
  neededFrom: CalendarDate | null;
  /** Whether nothing is known of it yet: then two empty windows in a row are its beginning. */
  isNew: boolean;
  /** Absent: no part of it is known. */
  known?: KnownPart | undefined;
}

/** A part of the past that was not asked for yet. */
export interface Missing {
  from: CalendarDate;
  /** The day after the last one. */
  until: CalendarDate;
}

/** What a window brought of an account. */
export interface WindowRows {
  rows: readonly SnapshotTransaction[];
  /** How many more could not be read. */
  unreadable: number;
  /** How many are of an account whose currency has no minor unit; absent: none. */
  unsupported?: number;
  /** Whether some that lie in the window may be missing. */
  leavesGap: boolean;
}

/** What the windows bring of one account. They come newest first, without a gap but for what is known. */
export class TransactionHistory {
  /** How many rows could not be read. */
  unreadable = 0;
  /** How many were left out since the account's currency has no minor unit. */
  unsupported = 0;
  /** Of the rows dated far outside what was asked for, one. */
  strayDate: CalendarDate | null = null;
  /** The day from which on nothing is missing in the answers. */
  coveredFrom: CalendarDate | null = null;
  /** The same, with what was known before. */
  knownFrom: CalendarDate | null = null;
  readonly #rows = new Map<string, SnapshotTransaction>();
  /** Before this day nothing was asked for yet, and nothing is known. */
  #askedFrom: CalendarDate | null = null;
  #hasGap = false;
  #emptyWindows = 0;

  constructor(private readonly wanted: HistoryWanted) {}

  get transactions(): SnapshotTransaction[] {
    return [...this.#rows.values()];
  }

  get isComplete(): boolean {
    const { neededFrom } = this.wanted;
    if (this.knownFrom === null) return false;
    return neededFrom === null || this.knownFrom <= neededFrom || (this.#isExhausted && !this.#hasGap);
  }

  /** What is still to be asked for after the first window; `null`: nothing. */
  get missing(): Missing | null {
    const from = this.wanted.neededFrom;
    const until = this.#askedFrom;
    return from === null || until === null || from >= until || this.#isExhausted ? null : { from, until };
  }

  add(window: Window, { rows, unreadable, unsupported = 0, leavesGap }: WindowRows): void {
    this.unreadable += unreadable;
    this.unsupported += unsupported;
    const isEmpty = !this.#keep(rows, window);
    // A row that is odd stays odd, however often it is asked for; when most are, the provider has changed something.
    if (leavesGap || unreadable > Math.max(1, rows.length)) this.#hasGap = true;
    // Asked for other accounts' sake.
    if (this.#askedFrom !== null && window.from >= this.#askedFrom) return;
    const isNext = window.until === null || window.until === this.coveredFrom;
    if (isNext && !this.#hasGap) this.coveredFrom = window.from;
    const { known } = this.wanted;
    const isKnownBefore = known !== undefined && window.from <= known.until && known.from < window.from;
    this.#askedFrom = isKnownBefore ? known.from : window.from;
    // What is known ends in the middle of a life, so that nothing on one side of it says anything of the other.
    this.#emptyWindows = isEmpty && !isKnownBefore ? this.#emptyWindows + 1 : 0;
    if (!this.#hasGap) this.knownFrom = this.#askedFrom;
  }

  get #isExhausted(): boolean {
    return this.wanted.isNew && this.#emptyWindows >= EMPTY_WINDOWS_TO_STOP;
  }

  /** @returns whether the window brought a booked row of its own */
  #keep(rows: readonly SnapshotTransaction[], { from }: Window): boolean {
    const { neededFrom, today } = this.wanted;
    // A server that ignores the window brings what other windows are for.
    const earliest = addDays(neededFrom !== null && neededFrom < from ? neededFrom : from, -FAR_DAYS);
    const latest = addDays(today, FAR_DAYS);
    let broughtNew = false;
    for (const row of rows) {
      const known = this.#rows.get(row.externalId);
      // A newer window has the later word on the same row, but what is booked was never unbooked.
      if (!known || (known.pending && !row.pending)) this.#rows.set(row.externalId, row);
      const isStray = row.date < earliest || row.date > latest;
      // Some banks list every hold, whatever was asked for.
      if (isStray && !row.pending) this.strayDate = row.date;
      if (!known && !row.pending && !isStray) broughtNew = true;
    }
    return broughtNew;
  }
}
