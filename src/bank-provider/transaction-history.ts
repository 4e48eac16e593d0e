import { addDays, type CalendarDate, daysBetween, earliest, latest } from '../time/calendar-date.js';
import type { KnownPart, SnapshotAccount, SnapshotRequest, SnapshotTransaction } from './bank-provider.js';
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

/** After so many empty windows in a row, the bank has no older transactions. */
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

/** Days that no window has covered yet. */
export interface Missing {
  from: CalendarDate;
  /** The day after the last one. */
  until: CalendarDate;
}

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
 * that are stored already.
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
  /** The answers lack nothing from this day on. */
  coveredFrom: CalendarDate | null = null;
  /** The same for the answers and the stored part together. */
  knownFrom: CalendarDate | null = null;
  readonly #rows = new Map<string, SnapshotTransaction>();
  /** Whether the account is new: then two empty windows in a row are the beginning of its history. */
  readonly #isNew: boolean;
  /** The stored part of an incomplete history. */
  readonly #known: KnownPart | undefined;
  /** The first day that a window or the stored part covers. */
  #askedFrom: CalendarDate | null = null;
  #hasGap = false;
  #emptyWindows = 0;

  /** @param neededFrom the first day needed; `null`: older windows would bring nothing */
  constructor(
    externalId: string,
    private readonly wanted: Wanted,
    private readonly neededFrom: CalendarDate | null,
  ) {
    this.#isNew = !wanted.completeUntil.has(externalId);
    this.#known = wanted.partlyKnown?.get(externalId);
  }

  get transactions(): SnapshotTransaction[] {
    return [...this.#rows.values()];
  }

  /** The members of a snapshot's account that tell its history, but whether it is complete. */
  get inSnapshot(): Pick<SnapshotAccount, 'transactions' | 'coveredFrom' | 'knownFrom' | 'unreadableRows'> {
    const { transactions, coveredFrom, knownFrom, unreadable, tooOld } = this;
    // One that is stored with its right date may be among those dated too early.
    return { transactions, coveredFrom, knownFrom, unreadableRows: unreadable.count + tooOld.count };
  }

  get isComplete(): boolean {
    const { neededFrom } = this;
    if (this.knownFrom === null) return false;
    return neededFrom === null || this.knownFrom <= neededFrom || (this.#isExhausted && !this.#hasGap);
  }

  /** The days still to fetch after the first window; `null`: none. */
  get missing(): Missing | null {
    const from = this.neededFrom;
    const until = this.#askedFrom;
    return from === null || until === null || from >= until || this.#isExhausted ? null : { from, until };
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
    // This window was fetched for other accounts.
    if (this.#askedFrom !== null && window.from >= this.#askedFrom) return;
    const isNext = window.until === null || window.until === this.coveredFrom;
    if (isNext && !this.#hasGap) this.coveredFrom = window.from;
    const known = this.#known;
    const isKnownBefore = known !== undefined && window.from <= known.until && known.from < window.from;
    this.#askedFrom = isKnownBefore ? known.from : window.from;
    // Windows on both sides of the stored part are not in a row.
    this.#emptyWindows = isEmpty && !isKnownBefore ? this.#emptyWindows + 1 : 0;
    if (!this.#hasGap) this.knownFrom = this.#askedFrom;
  }

  get #isExhausted(): boolean {
    return this.#isNew && this.#emptyWindows >= EMPTY_WINDOWS_TO_STOP;
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
    const { neededFrom } = this;
    // A server may ignore the window and return rows of other windows.
    const firstLikely = addDays(neededFrom !== null && neededFrom < from ? neededFrom : from, -FAR_DAYS);
    const lastLikely = addDays(this.wanted.today, FAR_DAYS);
    const firstPossible = addDays(this.wanted.historyFrom, -TOO_OLD_DAYS);
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

/** What decides how far back transactions are fetched. */
export type Wanted = Pick<SnapshotRequest, 'today' | 'historyFrom' | 'completeUntil' | 'partlyKnown'>;

/**
 * The first day to fetch of an account: that of its whole history if the account is new, else an overlap with the
 * stored days.
 *
 * @param overlapDays how late the provider's banks may list a transaction
 */
export function neededFrom(
  externalId: string,
  { historyFrom, completeUntil }: Wanted,
  overlapDays: number,
): CalendarDate {
  const known = completeUntil.get(externalId);
  return known === undefined ? historyFrom : overlapFrom(known, historyFrom, overlapDays);
}

/** An overlap reaches no further back than a first sync; a gap is fetched however long it is. */
export function overlapFrom(known: CalendarDate, historyFrom: CalendarDate, overlapDays: number): CalendarDate {
  return latest(addDays(known, -overlapDays), earliest(known, historyFrom));
}
