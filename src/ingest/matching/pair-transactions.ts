import { randomUUID } from 'node:crypto';
import { type CalendarDate, dayNumber, daysBetween, earliest } from '../../time/calendar-date.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';

/** Banks move the date of a transaction by a few days. */
export const MAX_DAYS_MOVED = 5;

/** A single row under the id of another one may be a coincidence of equal purchases. */
const MIN_RENUMBERED = 2;

/** A transaction as it is compared with others. */
export type ComparedTransaction = Omit<SnapshotTransaction, 'moment' | 'otherDate' | 'dateIsGuess' | 'pending'>;

/** Everything but the external id. */
export function contentOf({ date, amountMinor, currency, description, merchant }: ComparedTransaction): string {
  return JSON.stringify([date, amountMinor, currency, description, merchant]);
}

/** The content of a row in a list of posted and pending ones. */
function stateAndContentOf(row: SnapshotTransaction): string {
  return `${row.pending} ${contentOf(row)}`;
}

function amountAndTextsOf({ amountMinor, currency, description, merchant }: ComparedTransaction): string {
  return JSON.stringify([amountMinor, currency, description, merchant]);
}

/** Groups rows by key and by day number: a bank can list 100,000 rows of one key, so pairs of rows cannot be compared. */
export function byKeyAndDay<Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  dateOf: (row: Row) => CalendarDate,
): Map<string, Map<number, Row[]>> {
  const byKey = Map.groupBy(rows, keyOf);
  return new Map([...byKey].map(([key, same]) => [key, Map.groupBy(same, (row) => dayNumber(dateOf(row)))]));
}

export interface PairableTransaction extends ComparedTransaction {
  id: string;
}

/**
 * Pairs the transactions of two listings of one account: by id, else one to one by amount and nearest date. Equal purchases
 * keep their number. Only days that both listings have can show one transaction twice. One that was moved across the edge
 * of those days must agree in its texts, too.
 *
 * @returns the ids of kept transactions by those of arrived ones
 */
export function pairTransactions(
  kept: readonly PairableTransaction[],
  arrived: readonly PairableTransaction[],
): Map<string, string> {
  const pairs = new Map<string, string>();
  const byId = new Map(kept.map((row) => [row.externalId, row]));
  for (const row of arrived) {
    const same = byId.get(row.externalId);
    if (same && amountOf(same) === amountOf(row)) pairs.set(row.id, same.id);
  }
  const isShared = sharedDays(kept, arrived);
  const isOutside = (row: PairableTransaction) => !isShared(row);
  for (const [ofKept, ofArrived, contentOf] of [
    [isShared, isShared, amountOf],
    [isShared, isOutside, amountAndTextsOf],
    [isOutside, isShared, amountAndTextsOf],
  ] as const) {
    const paired = new Set(pairs.values());
    const nearest = pairNearestDays(
      kept.filter((row) => !paired.has(row.id) && ofKept(row)),
      arrived.filter((row) => !pairs.has(row.id) && ofArrived(row)),
      contentOf,
    );
    for (const [row, same] of nearest) pairs.set(row.id, same.id);
  }
  return pairs;
}

/** Returns a function that says whether a row is of the days from the first to the last one of both listings. */
function sharedDays(...listings: readonly (readonly ComparedTransaction[])[]) {
  const days = listings.map((rows) => rows.map(({ date }) => date).sort());
  const from = days.map((dates) => dates[0] ?? '').reduce((one, other) => (one > other ? one : other));
  const until = days.map((dates) => dates.at(-1) ?? '').reduce((one, other) => (one < other ? one : other));
  return ({ date }: ComparedTransaction) => date >= from && date <= until;
}

export function amountOf({ amountMinor, currency }: PairableTransaction | ComparedTransaction): string {
  return `${amountMinor} ${currency}`;
}

/**
 * Pairs rows of equal content one to one by the nearest date, at most five days apart. Equal dates are paired first, so that
 * no row takes the exact match of another.
 *
 * @returns the rows of `known` by those of `listed`
 */
export function pairNearestDays<Row extends { date: CalendarDate }>(
  known: readonly Row[],
  listed: readonly Row[],
  contentOf: (row: Row) => string,
): Map<Row, Row> {
  const pairs = new Map<Row, Row>();
  if (known.length === 0) return pairs;
  const unpaired = byKeyAndDay(known, contentOf, ({ date }) => date);
  // Reversed, because `pop` is cheap and `shift` moves a long list.
  for (const days of unpaired.values()) for (const rows of days.values()) rows.reverse();
  const pairable = listed.flatMap((row) => {
    const days = unpaired.get(contentOf(row));
    return days ? [{ row, day: dayNumber(row.date), days }] : [];
  });
  for (let daysOff = 0; daysOff <= MAX_DAYS_MOVED; daysOff++) {
    for (const { row, day, days } of pairable) {
      if (pairs.has(row)) continue;
      const match = days.get(day - daysOff)?.pop() ?? days.get(day + daysOff)?.pop();
      if (match) pairs.set(row, match);
    }
  }
  return pairs;
}

/**
 * Pairs rows of equal content, at most five days apart, of which neither has a second candidate.
 *
 * @returns the rows of `listed` by those of `known`
 */
export function pairUnambiguous<Row extends { date: CalendarDate }>(
  known: readonly Row[],
  listed: readonly Row[],
  contentOf: (row: Row) => string,
): Map<Row, Row> {
  const pairs = new Map<Row, Row>();
  if (known.length === 0) return pairs;
  const candidateOf = onlyRowNear(listed, contentOf);
  const rivalOf = onlyRowNear(known, contentOf);
  for (const row of known) {
    const candidate = candidateOf(row);
    if (candidate && rivalOf(candidate) === row) pairs.set(row, candidate);
  }
  return pairs;
}

/** Returns a function that finds the only row near another one, `null` where there is none or more than one. */
function onlyRowNear<Row extends { date: CalendarDate }>(
  rows: readonly Row[],
  contentOf: (row: Row) => string,
): (other: Row) => Row | null {
  const byDay = byKeyAndDay(rows, contentOf, ({ date }) => date);
  return (other) => {
    const days = byDay.get(contentOf(other));
    if (!days) return null;
    const first = dayNumber(other.date) - MAX_DAYS_MOVED;
    const near = Array.from({ length: 2 * MAX_DAYS_MOVED + 1 }, (_, index) => days.get(first + index) ?? []);
    const [found, ...more] = near.filter((same) => same.length > 0);
    return found?.length === 1 && more.length === 0 ? found[0]! : null;
  };
}

/**
 * Finds stored transactions that the bank lists under another id. Some banks mint new ids for every answer. A stored
 * row that is missing and a row that was never seen, with equal content, are one transaction. They are matched one to
 * one, so that equal purchases keep their number. The date of a row without one is that of each answer and does not count,
 * and a moment may have been read as another day.
 *
 * @param missing stored rows
 * @returns the rows of the answer, by the external id under which they are stored
 */
export function matchReissuedIds(
  missing: readonly SnapshotTransaction[],
  inserted: Iterable<SnapshotTransaction>,
): Map<string, SnapshotTransaction> {
  const reissued = new Map<string, SnapshotTransaction>();
  if (missing.length === 0) return reissued;
  const byContent = Map.groupBy(missing, stateAndContentOf);
  const undated: SnapshotTransaction[] = [];
  const otherwiseDated: SnapshotTransaction[] = [];
  for (const row of inserted) {
    const stored = byContent.get(stateAndContentOf(row))?.pop();
    if (stored) reissued.set(stored.externalId, row);
    else if (row.dateIsGuess) undated.push(row);
    else if (row.otherDate) otherwiseDated.push(row);
  }
  for (const row of otherwiseDated) {
    const stored = byContent.get(stateAndContentOf({ ...row, date: row.otherDate! }))?.pop();
    if (stored) reissued.set(stored.externalId, row);
  }
  if (undated.length === 0) return reissued;
  const withoutDate = (row: SnapshotTransaction) => stateAndContentOf({ ...row, date: '' });
  const left = Map.groupBy(
    missing.filter(({ externalId }) => !reissued.has(externalId)),
    withoutDate,
  );
  for (const row of undated) {
    const stored = left.get(withoutDate(row))?.pop();
    if (stored) reissued.set(stored.externalId, row);
  }
  return reissued;
}

/**
 * Gives rows of an answer the ids under which they are stored, where a bank numbers its rows by their place in each answer:
 * most of its ids are those of other stored transactions, and it lists what is stored under yet others. Only the days that
 * are stored decide, because after an absence most rows are new. No id of such an answer means anything, so what is
 * not stored gets an id of its own.
 *
 * Where the id has the same purchase a few days off, it may as well be stable: a bank that moves the dates of equal purchases puts
 * each on the day of another. So an account with nothing but equal rows keeps the bank's ids.
 *
 * @param listed rows that are not stored as they are listed
 * @param stored what is stored under their ids, or is not listed as it is stored
 * @returns all rows under the right ids, by those of the answer; empty: the bank does not number them by place
 */
export function undoRenumbering(
  listed: readonly SnapshotTransaction[],
  stored: readonly SnapshotTransaction[],
): Map<SnapshotTransaction, SnapshotTransaction> {
  const storedById = new Map(stored.map((row) => [row.externalId, row]));
  const reused = listed.filter((row) => {
    const own = storedById.get(row.externalId);
    return own !== undefined && !isRedated(row, own);
  });
  if (reused.length < MIN_RENUMBERED) return new Map();
  const byContent = Map.groupBy(stored.toReversed(), stateAndContentOf);
  const same = new Map<SnapshotTransaction, SnapshotTransaction>();
  for (const row of listed) {
    const found = byContent.get(stateAndContentOf(row))?.pop();
    if (found) same.set(row, found);
  }
  const judged = reused.filter(sharedDays(listed, stored));
  const found = judged.filter((row) => same.has(row)).length;
  if (found < MIN_RENUMBERED || found <= judged.length / 2) return new Map();
  const redated = pairRedated(listed, stored, same);
  return new Map(
    listed.map((row) => {
      const externalId = (same.get(row) ?? redated.get(row))?.externalId ?? ownIdFor(row.externalId);
      return [row, { ...row, externalId }];
    }),
  );
}

/** Whether a row is what its id says, on another day. */
function isRedated(row: SnapshotTransaction, own: SnapshotTransaction): boolean {
  if (amountAndTextsOf(row) !== amountAndTextsOf(own)) return false;
  return row.dateIsGuess === true || Math.abs(daysBetween(row.date, own.date)) <= MAX_DAYS_MOVED;
}

/** Pairs what is left, but for stored rows of the first day or before, where the list may just begin later. */
function pairRedated(
  listed: readonly SnapshotTransaction[],
  stored: readonly SnapshotTransaction[],
  same: ReadonlyMap<SnapshotTransaction, SnapshotTransaction>,
): Map<SnapshotTransaction, SnapshotTransaction> {
  const used = new Set(same.values());
  const firstDay = listed.reduce((first, { date }) => earliest(first, date), listed[0]!.date);
  return pairNearestDays(
    stored.filter((row) => !used.has(row) && row.date > firstDay),
    listed.filter((row) => !same.has(row)),
    (row) => stateAndContentOf({ ...row, date: '' }),
  );
}

/** An id that the bank uses for nothing, in place of one that it uses for anything. */
export function ownIdFor(externalId: string): string {
  return `${externalId}:${randomUUID()}`;
}

/**
 * Matches posted rows that are not stored to withdrawn transactions that come back: by their id, else one to one by
 * equal content, because some banks mint new ids.
 */
export function matchRestored<Withdrawn extends ComparedTransaction>(
  withdrawn: readonly Withdrawn[],
  inserted: Iterable<SnapshotTransaction>,
): Map<SnapshotTransaction, Withdrawn> {
  const restored = new Map<SnapshotTransaction, Withdrawn>();
  const byId = new Map(withdrawn.map((row) => [row.externalId, row]));
  const posted = [...inserted].filter(({ pending }) => !pending);
  for (const row of posted) {
    const same = byId.get(row.externalId);
    if (same) restored.set(row, same);
  }
  const used = new Set(restored.values());
  const byContent = Map.groupBy(
    withdrawn.filter((row) => !used.has(row)),
    contentOf,
  );
  for (const row of posted) {
    const same = restored.has(row) ? undefined : byContent.get(contentOf(row))?.pop();
    if (same) restored.set(row, same);
  }
  return restored;
}
