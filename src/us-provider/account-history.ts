import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { currencyCode } from '../money/currency.js';
import { addDays, type CalendarDate } from '../time/calendar-date.js';
import { mapTransaction } from './mapper.js';
import { readTransaction, type WireAccount } from './payload.js';
import { EMPTY_WINDOWS_TO_STOP, type Window } from './windows.js';

/** Rows this far outside what was asked for are wrong at the bank; nearer ones are a matter of time zones. */
const FAR_DAYS = 31;

export interface HistoryWanted {
  today: CalendarDate;
  includePending: boolean;
  /** The first day needed; `null` when asking for more would bring nothing. */
  neededFrom: CalendarDate | null;
  /** Whether nothing is known of it yet: then two empty windows in a row are its beginning. */
  isNew: boolean;
}

/** What the windows bring of one account. They come without gap, newest first. */
export class AccountHistory {
  /** How many rows could not be read. */
  unreadable = 0;
  /** Of the rows dated far outside what was asked for, one. */
  strayDate: CalendarDate | null = null;
  /** The day from which on nothing is missing. */
  coveredFrom: CalendarDate | null = null;
  readonly #rows = new Map<string, SnapshotTransaction>();
  #hasGap = false;
  #emptyWindows = 0;

  constructor(private readonly wanted: HistoryWanted) {}

  get transactions(): SnapshotTransaction[] {
    return [...this.#rows.values()];
  }

  get isComplete(): boolean {
    const { neededFrom } = this.wanted;
    if (this.coveredFrom === null) return false;
    return neededFrom === null || this.coveredFrom <= neededFrom || (this.#isExhausted && !this.#hasGap);
  }

  /** The first day needed if that lies before a day; `null`: nothing more is needed. */
  neededBefore(day: CalendarDate): CalendarDate | null {
    const { neededFrom } = this.wanted;
    return neededFrom === null || neededFrom >= day || this.#isExhausted ? null : neededFrom;
  }

  /**
   * @param listed the account as the answer lists it, more than once if it does; none: it does not
   * @param leavesGap whether the answer says that some of its transactions may be missing
   */
  add(window: Window, listed: readonly WireAccount[], leavesGap: boolean): void {
    const unreadableBefore = this.unreadable;
    const rows = listed.flatMap((account) => this.#readRows(account));
    const isEmpty = !this.#keep(rows, window);
    this.#emptyWindows = isEmpty ? this.#emptyWindows + 1 : 0;
    // A row that is odd stays odd, however often it is asked for; when most are, the provider has changed something.
    const isUnreadable = this.unreadable - unreadableBefore > rows.length;
    if (leavesGap || listed.length === 0 || isUnreadable) this.#hasGap = true;
    if (!this.#hasGap) this.coveredFrom = window.from;
  }

  get #isExhausted(): boolean {
    return this.wanted.isNew && this.#emptyWindows >= EMPTY_WINDOWS_TO_STOP;
  }

  #readRows({ currency: code, transactions }: WireAccount): SnapshotTransaction[] {
    const currency = currencyCode(code);
    // Points and miles cannot be counted; that is how the account is, not a fault of its rows.
    if (currency === null) return [];
    const rows: SnapshotTransaction[] = [];
    for (const item of transactions ?? []) {
      const { value: wire } = readTransaction(item);
      const row = wire && mapTransaction(wire, currency, this.wanted.today);
      if (!row) this.unreadable++;
      else if (!row.pending || this.wanted.includePending) rows.push(row);
    }
    return rows;
  }

  /** @returns whether the window brought a booked row of its own */
  #keep(rows: readonly SnapshotTransaction[], { from, until }: Window): boolean {
    const earliest = addDays(from, -FAR_DAYS);
    const latest = addDays(until ?? this.wanted.today, FAR_DAYS);
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
