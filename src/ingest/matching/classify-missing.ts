import type { SnapshotAccount, SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { addDays, type CalendarDate, daysBetween } from '../../time/calendar-date.js';
import { MAX_DAYS_MOVED, pairNearestDays, pairUnambiguous } from './pair-transactions.js';

/** So many withdrawals are plausible even if they are all that an answer covers. */
const MAX_UNQUESTIONED_WITHDRAWALS = 2;
/** The largest plausible share of withdrawals among the transactions that an answer covers. */
const MAX_WITHDRAWN_SHARE = 0.5;
/** A first row that is followed by fewer days may belong to the rows after it. */
const ISOLATED_DAYS = 31;

const NOTHING_ENDED = { reissued: new Map(), withdrawn: [], superseding: new Map(), isPlausible: false } as const;

type Dated = Pick<SnapshotTransaction, 'date'>;

/** What happened to stored transactions that an answer does not list. All ids are external. */
export interface MissingVerdict {
  /** The rows under other ids with another date or text, by the stored ids. */
  reissued: ReadonlyMap<string, SnapshotTransaction>;
  withdrawn: readonly string[];
  /** The ids of new transactions that supersede withdrawn ones, by the withdrawn ids. */
  superseding: ReadonlyMap<string, string>;
  /** `false`: the answer lacks too much, so it withdraws nothing. */
  isPlausible: boolean;
  /** How many transactions of the covered days are missing without a replacement; at least so many, if not plausible. */
  missingCount: number;
  /** How many stored transactions the answer still lists; at most so many, if not plausible. */
  listedCount: number;
}

/**
 * @param missing stored transactions that the answer does not list
 * @param unknown rows of the answer that no stored transaction was matched to
 * @param today in UTC
 */
export function classifyMissing(
  missing: readonly SnapshotTransaction[],
  answer: SnapshotAccount,
  unknown: readonly SnapshotTransaction[],
  today: CalendarDate,
): MissingVerdict {
  const withdrawn = findWithdrawn(missing, answer, today);
  const posted = unknown.filter(({ pending }) => !pending);
  const postedCount = answer.transactions.filter(({ pending }) => !pending).length;
  const counts = (replaced: number) => ({
    missingCount: withdrawn.length - replaced,
    listedCount: postedCount - posted.length + replaced,
  });
  // Before they are matched, which takes seconds where a bank mints hundreds of thousands of new ids.
  const atBest = counts(Math.min(withdrawn.length, posted.length));
  if (!isPlausible(atBest)) return { ...NOTHING_ENDED, ...atBest };
  const { reissued, superseding } = matchReplacements(withdrawn, posted);
  const found = counts(reissued.size + superseding.size);
  if (!isPlausible(found)) return { ...NOTHING_ENDED, ...found };
  return {
    reissued,
    withdrawn: withdrawn.map(({ externalId }) => externalId).filter((externalId) => !reissued.has(externalId)),
    superseding: new Map([...superseding].map(([externalId, row]) => [externalId, row.externalId])),
    isPlausible: true,
    ...found,
  };
}

/**
 * Finds the stored posted transactions that an answer withdraws, because it is complete, covers their day and does not
 * list them. It withdraws nothing
 * - when it is partial or empty, or has rows that could not be read;
 * - on its first covered days, because the bank may have moved a transaction to a day before them, and after today;
 * - before the first day that it really lists, because many banks show only their last 90 days or so, and on that day
 *   either when older transactions are missing: such a list may begin in the middle of a day.
 *
 * @param missing stored rows that the answer does not list
 * @param today in UTC
 */
function findWithdrawn(
  missing: readonly SnapshotTransaction[],
  { transactions, complete, coveredFrom, unreadableRows }: SnapshotAccount,
  today: CalendarDate,
): SnapshotTransaction[] {
  if (!complete || coveredFrom === null || unreadableRows > 0) return [];
  const settledFrom = addDays(coveredFrom, MAX_DAYS_MOVED);
  const covered = missing.filter(({ pending, date }) => !pending && date > settledFrom && date <= today);
  const listed = transactions.filter(({ pending, date }) => !pending && date >= coveredFrom);
  const firstListed = firstDayOfList(listed, covered);
  if (firstListed === null) return [];
  const isRolling = covered.some(({ date }) => date < firstListed);
  return covered.filter(({ date }) => (isRolling ? date > firstListed : date >= firstListed));
}

/** Whether an answer may withdraw so many transactions without replacing them, and still list so many of the same days. */
function isPlausible({ missingCount, listedCount }: Pick<MissingVerdict, 'missingCount' | 'listedCount'>): boolean {
  const most = (missingCount + listedCount) * MAX_WITHDRAWN_SHARE;
  return missingCount <= MAX_UNQUESTIONED_WITHDRAWALS || missingCount <= most;
}

/**
 * The first day that a list really covers; `null`: it is empty. Rows before a gap do not belong to it if more are missing in
 * the gap than are listed before it, or as many in more than a month: some banks list a few old rows beside the last days.
 */
function firstDayOfList(listed: readonly Dated[], missing: readonly Dated[]): CalendarDate | null {
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
function daysOf(rows: readonly Dated[]): CalendarDate[] {
  return rows.map(({ date }) => date).sort();
}

/**
 * Matches withdrawn transactions to new ones of the same answer. An equal amount makes them one transaction: with equal
 * texts the nearest date decides, with other texts only an unambiguous pair counts. With another amount, which is how
 * provisional rows become final, an unambiguous pair with equal texts stays two transactions that are linked.
 *
 * @returns by external ids of the withdrawn ones: the same transactions under new ids, and those that supersede them
 */
function matchReplacements(withdrawn: readonly SnapshotTransaction[], inserted: readonly SnapshotTransaction[]) {
  const redated = pairNearestDays(withdrawn, inserted, (row) => JSON.stringify([row.amountMinor, ...textsOf(row)]));
  const reissued = new Map([...redated].map(([row, stored]) => [stored.externalId, row]));
  const matched = new Set<SnapshotTransaction>([...redated.keys(), ...redated.values()]);
  const addPairs = (to: Map<string, SnapshotTransaction>, contentOf: (row: SnapshotTransaction) => string) => {
    const isLeft = (row: SnapshotTransaction) => !matched.has(row);
    for (const [stored, row] of pairUnambiguous(withdrawn.filter(isLeft), inserted.filter(isLeft), contentOf)) {
      to.set(stored.externalId, row);
      matched.add(stored).add(row);
    }
  };
  const superseding = new Map<string, SnapshotTransaction>();
  addPairs(reissued, ({ amountMinor, currency }) => JSON.stringify([amountMinor, currency]));
  addPairs(superseding, (row) => JSON.stringify([Math.sign(row.amountMinor), ...textsOf(row)]));
  return { reissued, superseding };
}

function textsOf({ currency, description, merchant }: SnapshotTransaction) {
  return [currency, description, merchant];
}
