import { addDays, type CalendarDate, daysBetween, earliest } from '../platform/time/calendar-date.js';
import {
  completeUntil,
  type CoveredDays,
  type Days,
  missingDays,
  settledDays,
  withDays,
} from '../platform/time/covered-days.js';
import type { SnapshotAccount, SnapshotRequest, SnapshotTransaction } from './bank-provider.js';
import { hash } from 'node:crypto';

/** Rows that are left out, each counted once: a provider that ignores the requested days lists them in every answer. */
export class LeftOutRows {
  /** How often a content occurs in one answer, because two equal rows are two purchases. */
  readonly #times = new Map<string, number>();
  /** The contents with an amount beyond the limit. */
  readonly #tooLarge = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** How many of them have nothing wrong but an amount beyond the limit. */
  get tooLargeCount(): number {
    return [...this.#tooLarge].reduce((sum, content) => sum + (this.#times.get(content) ?? 0), 0);
  }

  /**
   * @param item one more row of the same answer, as it was parsed
   * @param isTooLarge whether its amount is beyond the limit
   */
  add(item: unknown, isTooLarge = false): void {
    const content = contentHash(item);
    if (isTooLarge) this.#tooLarge.add(content);
    this.#set(content, (this.#times.get(content) ?? 0) + 1);
  }

  /** @param others those of another answer */
  merge(others: LeftOutRows): void {
    for (const content of others.#tooLarge) this.#tooLarge.add(content);
    for (const [content, times] of others.#times) {
      if (times > (this.#times.get(content) ?? 0)) this.#set(content, times);
    }
  }

  #set(content: string, times: number): void {
    this.#count += times - (this.#times.get(content) ?? 0);
    this.#times.set(content, times);
  }
}

/** Equal for equal parts of answers. */
function contentHash(item: unknown): string {
  try {
    return hash('sha256', JSON.stringify(item), 'base64url').slice(0, 22);
  } catch {
    // Nested more deeply than can be written.
    return '';
  }
}

const EMPTY_WINDOWS_TO_STOP = 2;
/** A row dated further outside its window is an error of the bank; a nearer one is a matter of time zones. */
const FAR_DAYS = 31;
/**
 * A row dated further before the history that is wanted is an error of the bank, too, and left out: the history would begin
 * there, and have a balance for each day since.
 */
const TOO_OLD_DAYS = 5 * 365;

/** The days of one request. */
export interface Window {
  from: CalendarDate;
  /** The day after the last one; `null`: until now. */
  until: CalendarDate | null;
}

/** What decides which transactions are fetched. */
type Wanted = Pick<SnapshotRequest, 'today' | 'historyFrom' | 'covered'>;

/** The transactions of one account in the answer for one window. */
export interface WindowRows {
  rows: readonly SnapshotTransaction[];
  /** More, which could not be read. */
  unreadable: LeftOutRows;
  /** More, which name another account; absent: none. */
  foreign?: LeftOutRows;
  /** More, which are in a currency without a minor unit, as the account is; absent: none. */
  unsupported?: LeftOutRows;
  /** Whether transactions of the window may be missing. */
  leavesGap: boolean;
}

/**
 * Collects the transactions of one account, window by window. Windows come newest first and leave out only the days
 * that are stored already. If two in a row are empty, and no older day is stored, the bank has nothing older.
 */
export class TransactionHistory {
  /** Rows that could not be read. */
  readonly unreadable = new LeftOutRows();
  /** Rows that are in a currency without a minor unit, as the account is. */
  readonly unsupported = new LeftOutRows();
  /** Rows that name another account. */
  readonly foreign = new LeftOutRows();
  /** Rows whose id another row of the same answer has, of another day, amount or currency. The first one counts. */
  readonly ambiguous = new LeftOutRows();
  /** Rows dated years before what is wanted. */
  readonly tooOld = new LeftOutRows();
  /** The first date of those; `null`: there are none. */
  oldestDate: CalendarDate | null = null;
  /** The date of a row far outside its window; `null`: there is none. */
  strayDate: CalendarDate | null = null;
  readonly #rows = new Map<string, SnapshotTransaction>();
  /** The stored days that need not be fetched again. */
  readonly #stored: CoveredDays;
  /** All that is wanted, stored or not. */
  readonly #wanted: Days;
  #fetched: CoveredDays = [];
  #covered: CoveredDays = [];
  #hasGap = false;
  #emptyWindows = 0;

  /**
   * @param overlapDays how late the provider's banks may list a transaction
   * @param isNewestOnly whether older windows would bring nothing
   */
  constructor(
    externalId: string,
    { today, historyFrom, covered }: Wanted,
    overlapDays: number,
    private readonly isNewestOnly = false,
  ) {
    const stored = covered.get(externalId) ?? [];
    this.#stored = settledDays(stored, overlapDays);
    // An overlap reaches no further back than a first sync; a gap is fetched however long it is.
    const from = earliest(historyFrom, completeUntil(stored) ?? historyFrom);
    this.#wanted = { from, until: addDays(today, 1) };
  }

  get transactions(): SnapshotTransaction[] {
    return [...this.#rows.values()];
  }

  /** The members of a snapshot's account that tell its history. */
  get inSnapshot(): Pick<SnapshotAccount, 'transactions' | 'covered' | 'unreadableRows'> {
    const { transactions, unreadable, tooOld } = this;
    const [first] = this.#covered;
    const isFromBeginning = first !== undefined && this.#isExhausted && !this.#hasGap;
    const covered = isFromBeginning ? withDays(this.#covered, { from: null, until: first.until }) : this.#covered;
    // One that is stored with its right date may be among those dated too early.
    return { transactions, covered, unreadableRows: unreadable.count + tooOld.count };
  }

  /** The oldest day to fetch. */
  get wantedFrom(): CalendarDate {
    return missingDays(this.#stored, this.#wanted)[0]?.from ?? this.#wanted.from;
  }

  /** The newest days still to fetch; `null`: none. */
  get missing(): Days | null {
    return this.#isExhausted ? null : (missingDays(this.#known, this.#wanted).at(-1) ?? null);
  }

  add(window: Window, { rows, unreadable, foreign, unsupported, leavesGap }: WindowRows): void {
    const unreadableBefore = this.unreadable.count;
    this.unreadable.merge(unreadable);
    if (foreign) this.foreign.merge(foreign);
    if (unsupported) this.unsupported.merge(unsupported);
    const isEmpty = !this.#keep(rows, window) && this.unreadable.count === unreadableBefore;
    // Fetching one such row again does not help. If most are, the provider has changed its format or mixed up accounts.
    const leftOut = unreadable.count - unreadable.tooLargeCount + (foreign?.count ?? 0);
    if (leavesGap || leftOut > Math.max(1, rows.length)) this.#hasGap = true;
    const days = { from: window.from, until: window.until ?? this.#wanted.until };
    const isNew = missingDays(this.#known, days).length > 0;
    this.#fetched = withDays(this.#fetched, days);
    // Today is not over.
    if (!this.#hasGap) this.#covered = withDays(this.#covered, { ...days, until: earliest(days.until, this.#today) });
    // This window was fetched for other accounts.
    if (!isNew) return;
    // Nothing listed between stored days does not mean that nothing is older.
    const isOldest = this.#stored.every(({ from }) => from !== null && days.from < from);
    this.#emptyWindows = isEmpty && isOldest ? this.#emptyWindows + 1 : 0;
  }

  get #isExhausted(): boolean {
    return this.#emptyWindows >= EMPTY_WINDOWS_TO_STOP || (this.isNewestOnly && this.#fetched.length > 0);
  }

  get #known(): CoveredDays {
    return this.#fetched.reduce(withDays, this.#stored);
  }

  get #today(): CalendarDate {
    return addDays(this.#wanted.until, -1);
  }

  /** Some banks use an id again after months: then the older transaction gets its date beside the id. */
  #withOwnId(row: SnapshotTransaction): SnapshotTransaction {
    const known = this.#rows.get(row.externalId);
    if (!known || known.pending || row.pending || row.amountMinor === known.amountMinor) return row;
    const isFar = Math.abs(daysBetween(row.date, known.date)) > FAR_DAYS;
    return isFar ? { ...row, externalId: `${row.externalId} ${row.date}` } : row;
  }

  /** @returns whether the window brought a new posted row */
  #keep(rows: readonly SnapshotTransaction[], { from }: Window): boolean {
    // A server may ignore the window and return rows of other windows.
    const firstLikely = addDays(this.isNewestOnly ? from : earliest(from, this.wantedFrom), -FAR_DAYS);
    const lastLikely = addDays(this.#today, FAR_DAYS);
    const firstPossible = addDays(this.#wanted.from, -TOO_OLD_DAYS);
    const inThisAnswer = new Map<string, SnapshotTransaction>();
    const ambiguous = new LeftOutRows();
    const tooOld = new LeftOutRows();
    let broughtNew = false;
    for (const listed of withDistinctIds(rows)) {
      const row = this.#withOwnId(listed);
      if (row.date < firstPossible && !row.pending) {
        tooOld.add(row);
        this.oldestDate = earliest(row.date, this.oldestDate ?? row.date);
        continue;
      }
      const first = inThisAnswer.get(row.externalId);
      // A pending row may be listed beside the posted one of its id.
      if (first && !first.pending && !row.pending && !isSame(row, first)) ambiguous.add(row);
      if (!first || first.pending) inThisAnswer.set(row.externalId, row);
      const known = this.#rows.get(row.externalId);
      // The newer window's row counts, except that a posted row is never replaced by a pending one.
      if (!known || (known.pending && !row.pending)) this.#rows.set(row.externalId, row);
      const isStray = row.date < firstLikely || row.date > lastLikely;
      // Some banks list all pending transactions in every window.
      if (isStray && !row.pending) this.strayDate = row.date;
      if (!known && !row.pending && !isStray) broughtNew = true;
    }
    this.ambiguous.merge(ambiguous);
    this.tooOld.merge(tooOld);
    return broughtNew;
  }
}

function isSame(row: SnapshotTransaction, other: SnapshotTransaction): boolean {
  return row.date === other.date && row.amountMinor === other.amountMinor && row.currency === other.currency;
}

/** Some banks list all pending transactions under one id, such as "0": then their days and amounts tell them apart. */
function withDistinctIds(rows: readonly SnapshotTransaction[]): readonly SnapshotTransaction[] {
  const byId = Map.groupBy(
    rows.filter(({ pending }) => pending),
    ({ externalId }) => externalId,
  );
  const isShared = ({ pending, externalId }: SnapshotTransaction) => pending && shared.has(externalId);
  const shared = new Set([...byId].filter(([, same]) => same.some((row) => !isSame(row, same[0]!))).map(([id]) => id));
  if (shared.size === 0) return rows;
  return rows.map((row) =>
    isShared(row) ? { ...row, externalId: `${row.externalId} ${row.date} ${row.amountMinor}` } : row,
  );
}
