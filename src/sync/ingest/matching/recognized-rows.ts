import { MAX_DAYS_MOVED } from '../../../balances/engine/ledger.js';
import { addDays, type CalendarDate, daysBetween } from '../../../platform/time/calendar-date.js';
import { type Listing, type Pass, pairRows, type Row, type StoredRow, wholeFrom } from './pair-rows.js';
import { isNamed, namesMerchantInText, type Outcome, type State } from './passes.js';

/** So many withdrawals are plausible even if they are all that an answer covers. */
const MAX_UNQUESTIONED_WITHDRAWALS = 2;
/** The largest plausible share of withdrawals among the transactions that an answer covers. */
const MAX_WITHDRAWN_SHARE = 0.5;
/** A first row that is followed by fewer days may belong to the rows after it. */
const ISOLATED_DAYS = 31;

/** At least and at most, where too much is missing. */
export interface ListingCounts {
  /** How many transactions of the covered days are missing without a replacement. */
  missingCount: number;
  /** How many stored transactions the answer still lists. */
  listedCount: number;
}

/** The rows of an answer and the stored ones, and which of them are pairs. */
export class RecognizedRows {
  /** What the answer lacks, if that is too much to withdraw any. */
  lacking: ListingCounts | null = null;
  readonly #pairs = new Map<Row, { is: Outcome; known: Row }>();
  readonly #outcomes = new Map<Row, Outcome>();
  readonly #storedById: ReadonlyMap<string, StoredRow>;
  readonly #listedIds: ReadonlySet<string>;
  readonly #pendingIds: ReadonlySet<string>;
  /** Of an answer that has only changes: what it says is gone, or posted under another id; `null`: the answer is a list. */
  readonly #removedIds: ReadonlySet<string> | null;
  /** Found when they are first asked for, after the passes for what is only listed under another id. */
  #superseded: ReadonlySet<string> | undefined;
  #withdrawable: readonly StoredRow[] | undefined;

  /**
   * @param since the first day of which the answer says anything
   * @param today in UTC
   */
  constructor(
    readonly stored: readonly StoredRow[],
    readonly answer: Listing,
    private readonly since: CalendarDate,
    private readonly today: CalendarDate,
  ) {
    const { transactions, removed } = answer;
    this.#removedIds = removed
      ? new Set([...removed, ...transactions.flatMap(({ pendingId }) => pendingId ?? [])])
      : null;
    this.#storedById = new Map(stored.flatMap((row) => (row.isWithdrawn ? [] : [[row.externalId, row]])));
    this.#listedIds = new Set(transactions.map(({ externalId }) => externalId));
    this.#pendingIds = new Set(transactions.flatMap(({ pending, externalId }) => (pending ? [externalId] : [])));
  }

  recognize(pass: Pass<State, Outcome>): void {
    for (const [known, other] of pairRows(pass, this.#rows(pass.of), this.#rows(pass.to))) {
      this.#pairs.set(other, { is: pass.is, known });
      this.#outcomes.set(known, pass.is);
      // The posted transaction of a late pending one may be missing all the same.
      if (pass.is !== 'late') this.#outcomes.set(other, pass.is);
    }
  }

  /** After all passes: an answer that lacks most transactions is probably an error of the bank, and withdraws none. */
  judge(): void {
    if (this.#removedIds) return;
    const { withdrawable } = this;
    const counts = this.#countWith(withdrawable.filter((row) => this.#outcomes.has(row)).length);
    if (this.lacking !== null || isPlausible(counts)) return;
    this.lacking = counts;
    for (const [row, { is }] of this.#pairs) if (is === 'reissued' || is === 'superseded') this.#pairs.delete(row);
  }

  /** The row that a listed one is a pair with. */
  pairOf(row: Row): { is: Outcome; known: Row } | undefined {
    return this.#pairs.get(row);
  }

  outcomeOf(row: Row): Outcome | undefined {
    return this.#outcomes.get(row);
  }

  /** The stored row that a listed one is. */
  storedAs(row: Row): StoredRow | undefined {
    const pair = this.#pairs.get(row);
    if (pair?.is === 'renamed' || pair?.is === 'reissued') return pair.known as StoredRow;
    if (pair?.is !== 'booked') return this.#storedById.get(row.externalId);
    // A pending row of the answer may be new.
    return 'id' in pair.known ? (pair.known as StoredRow) : this.storedAs(pair.known);
  }

  /** The listed rows that are written: pending ones that are stored as posted are none. */
  get written(): Row[] {
    const isKnown = (row: Row) => ['booked', 'late'].includes(this.#outcomes.get(row)!) || this.#isSuperseded(row);
    return this.answer.transactions.filter((row) => !row.pending || !isKnown(row));
  }

  /** The late pending rows, with their posted transactions. */
  get late(): [Row, StoredRow][] {
    return [...this.#pairs].flatMap(([row, { is, known }]) => (is === 'late' ? [[known, row as StoredRow]] : []));
  }

  /** The posted transactions that the answer withdraws, unless it lists them otherwise. */
  get withdrawable(): readonly StoredRow[] {
    this.#withdrawable ??= this.#findWithdrawable();
    return this.lacking === null ? this.#withdrawable : [];
  }

  /** Whether the answer says by its id that a stored row is gone. */
  isRemoved({ externalId }: StoredRow): boolean {
    return this.#removedIds?.has(externalId) ?? false;
  }

  /** Whether a stored pending row is listed as pending. */
  isListed(row: StoredRow): boolean {
    return this.#pendingIds.has(row.externalId) || this.#outcomes.get(row) === 'renamed';
  }

  /** Whether a pending row is stored as posted already, as the pending one of another row or by itself. */
  #isSuperseded({ externalId }: Row): boolean {
    this.#superseded ??= new Set(
      this.stored
        .filter((row) => !row.pending && (!row.isWithdrawn || this.#outcomes.get(row) === 'restored'))
        .flatMap(({ externalId, holdExternalId }) => [externalId, holdExternalId ?? externalId]),
    );
    return this.#superseded.has(externalId);
  }

  #rows(state: State): readonly Row[] {
    const { stored } = this;
    const { transactions } = this.answer;
    const isOpen = (row: Row) => !this.#outcomes.has(row);
    const isNew = (row: Row) => isOpen(row) && !this.#storedById.has(row.externalId);
    const isNewPosted = (row: Row) => !row.pending && isNew(row);
    const isAbsent = (row: StoredRow) =>
      !this.#listedIds.has(row.externalId) && (!this.#removedIds || this.isRemoved(row));
    const isUnlisted = (row: StoredRow) => !row.isWithdrawn && isOpen(row) && isAbsent(row);
    const isVanished = (row: StoredRow) => row.pending && isUnlisted(row);
    const isLateOrListed = (row: Row) =>
      row.pending && (isOpen(row) || this.#outcomes.get(row) === 'renamed') && !this.#isSuperseded(row);
    const rowsIn: Record<State, () => readonly Row[]> = {
      missing: () => stored.filter((row) => (this.#removedIds || row.date >= this.since) && isUnlisted(row)),
      withdrawable: () => this.withdrawable.filter(isOpen),
      withdrawn: () => stored.filter((row) => row.isWithdrawn && isOpen(row)),
      vanished: () => stored.filter(isVanished),
      'vanished named': () => stored.filter((row) => isVanished(row) && isNamed(row)),
      'vanished text only': () => stored.filter((row) => isVanished(row) && namesMerchantInText(row)),
      posted: () => stored.filter((row) => !row.pending && !row.isWithdrawn && !this.#hasListedPending(row)),
      new: () => transactions.filter(isNew),
      'new undated': () => transactions.filter((row) => row.dateIsGuess && isNew(row)),
      'new other date': () => transactions.filter((row) => row.otherDate && !row.dateIsGuess && isNew(row)),
      'new posted': () => transactions.filter(isNewPosted),
      'new posted named': () => transactions.filter((row) => isNewPosted(row) && isNamed(row)),
      'listed pending': () => transactions.filter(isLateOrListed),
      'late pending': () => transactions.filter((row) => isLateOrListed(row) && isNew(row)),
    };
    return rowsIn[state]();
  }

  #hasListedPending({ holdExternalId }: StoredRow): boolean {
    return holdExternalId !== null && this.#pendingIds.has(holdExternalId);
  }

  #findWithdrawable(): readonly StoredRow[] {
    const missing = this.#rows('missing') as readonly StoredRow[];
    if (this.#removedIds) return missing.filter(({ pending }) => !pending);
    const found = findWithdrawn(missing, this.answer, this.today);
    this.#withdrawable = found;
    // Before they are matched, which takes seconds where a bank mints hundreds of thousands of new ids.
    const atBest = this.#countWith(Math.min(found.length, this.#rows('new posted').length));
    if (!isPlausible(atBest)) this.lacking = atBest;
    return found;
  }

  /** @param replaced how many of the withdrawable rows have a pair */
  #countWith(replaced: number): ListingCounts {
    const isKnown = (row: Row) => {
      const is = this.#pairs.get(row)?.is;
      return is ? is !== 'reissued' && is !== 'superseded' : this.#storedById.has(row.externalId);
    };
    const known = this.answer.transactions.filter((row) => !row.pending && isKnown(row)).length;
    return { missingCount: this.withdrawable.length - replaced, listedCount: known + replaced };
  }
}

/**
 * Finds the stored posted transactions that an answer withdraws, because it covers their day and does not list them. It withdraws nothing
 * - when it is empty, or has rows that could not be read;
 * - on its first covered days, because the bank may have moved a transaction to a day before them, and after today;
 * - before the first day that it really lists, because many banks show only their last 90 days or so, and on that day
 *   either when older transactions are missing: such a list may begin in the middle of a day.
 *
 * @param missing stored rows that the answer does not list
 * @param today in UTC
 */
function findWithdrawn<Missing extends Row>(
  missing: readonly Missing[],
  answer: Listing,
  today: CalendarDate,
): Missing[] {
  const { transactions, unreadableRows } = answer;
  const from = wholeFrom(answer);
  if (from === null || unreadableRows > 0) return [];
  const settledFrom = addDays(from, MAX_DAYS_MOVED);
  const settled = missing.filter(({ pending, date }) => !pending && date > settledFrom && date <= today);
  const listed = transactions.filter(({ pending, date }) => !pending && date >= from);
  const firstListed = firstDayOfList(listed, settled);
  if (firstListed === null) return [];
  const isRolling = settled.some(({ date }) => date < firstListed);
  return settled.filter(({ date }) => (isRolling ? date > firstListed : date >= firstListed));
}

/** Whether an answer may withdraw so many transactions without replacing them, and still list so many of the same days. */
function isPlausible({ missingCount, listedCount }: ListingCounts): boolean {
  const most = (missingCount + listedCount) * MAX_WITHDRAWN_SHARE;
  return missingCount <= MAX_UNQUESTIONED_WITHDRAWALS || missingCount <= most;
}

/**
 * The first day that a list really covers; `null`: it is empty. Rows before a gap do not belong to it if more are missing in
 * the gap than are listed before it, or as many in more than a month: some banks list a few old rows beside the last days.
 */
function firstDayOfList(listed: readonly Row[], missing: readonly Row[]): CalendarDate | null {
  const days = daysOf(listed);
  const missingDays = daysOf(missing);
  let first = days[0] ?? null;
  let next = 0;
  for (const [index, day] of days.slice(1).entries()) {
    const before = days[index]!;
    while (next < missingDays.length && missingDays[next]! <= before) next++;
    const start = next;
    while (next < missingDays.length && missingDays[next]! < day) next++;
    const excess = next - start - (index + 1);
    if (excess > 0 || (excess === 0 && daysBetween(before, day) > ISOLATED_DAYS)) first = day;
  }
  return first;
}

/** In their order. */
function daysOf(rows: readonly Row[]): CalendarDate[] {
  return rows.map(({ date }) => date).sort();
}
