import type { SnapshotAccount, SnapshotTransaction } from '../../../providers/bank-provider.js';
import { type CalendarDate, dayNumber } from '../../../platform/time/calendar-date.js';
import type { CoveredDays } from '../../../platform/time/covered-days.js';

/** A transaction of an answer, or one that is stored. */
export type Row = Omit<SnapshotTransaction, 'moment'>;

/** A stored transaction, or the newest version of a withdrawn one. */
export interface StoredRow extends Row {
  id: string;
  isWithdrawn: boolean;
  holdExternalId: string | null;
  /** In Unix milliseconds. */
  missingSince: number | null;
  /** The day on which it was first stored. */
  storedOn: CalendarDate;
  /** Texts, because they are more exact than a `Date`. */
  firstSeenAt: string;
  createdAt: string;
}

/** The part of an answer that is a list of transactions. */
export type Listing = Pick<SnapshotAccount, 'transactions' | 'removed' | 'covered' | 'unreadableRows'>;

const [FIRST_DATE, LAST_DATE] = ['0001-01-01', '9999-12-31'];

/** What a list covers that has all there is. */
export const ALL_DAYS: CoveredDays = [{ from: null, until: LAST_DATE }];

/** From which day on a list is whole; `null`: it is not, or these are changes. */
export function wholeFrom({ covered, removed }: Pick<Listing, 'covered' | 'removed'>): CalendarDate | null {
  const newest = covered.at(-1);
  return newest && !removed ? (newest.from ?? FIRST_DATE) : null;
}

/** The first day of which an answer says anything. */
export function firstDayOf(answer: Pick<Listing, 'transactions' | 'removed' | 'covered'>): CalendarDate {
  const { transactions } = answer;
  return transactions.reduce((first, { date }) => (date < first ? date : first), wholeFrom(answer) ?? LAST_DATE);
}

type Key = (row: Row) => string | null;

/** When two rows are a pair: they have one key and are some days apart. */
export interface Rule {
  /** @param known the rows that are looked for; a row with the key `null` has no pair */
  key: (known: readonly Row[]) => Key;
  /** How many days the other row may be dated after the known one, at least and at most; `null`: any. */
  days: readonly [number, number] | null;
  /** `nearest`: equal dates first. `alone`: only where neither row has a second candidate. */
  how: 'nearest' | 'alone';
  /** With `alone`: known rows that are equal in this do not compete, and the last one is taken first; absent: all compete. */
  equal?: (row: Row) => string;
  /** With `alone`: what the only candidates must agree in beside the key. */
  agree?: (known: Row, other: Row) => boolean;
  /** The date of the other row, if it is not its own. */
  date?: (other: Row) => CalendarDate;
}

/** One way to recognize transactions, in a table of them. */
export interface Pass<State, Outcome> extends Rule {
  /** What a pair is. */
  is: Outcome;
  /** What the rows are before: those that are looked for, and those among which. */
  of: State;
  to: State;
}

type Pair = readonly [known: Row, other: Row];

/** Pairs rows one to one. */
export function pairRows(pass: Rule, known: readonly Row[], others: readonly Row[]): Pair[] {
  // As in most answers; a first one may have 100,000 rows.
  if (known.length === 0 || others.length === 0) return [];
  return pass.how === 'nearest' ? pairNearest(pass, known, others) : pairAlone(pass, known, others);
}

const days = ({ days }: Rule): readonly [number, number] => days ?? [0, 0];

/** The day of a row, as far as the days matter. */
function dayOf(pass: Rule, row: Row, date = row.date): number {
  return pass.days === null ? 0 : dayNumber(date);
}

function dayOfOther(pass: Rule, row: Row): number {
  return dayOf(pass, row, pass.date?.(row));
}

/** Groups by key and by day, because a bank can list 100,000 rows of one key, so that pairs of rows cannot be compared. */
function byKeyAndDay<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | null,
  day: (item: Item) => number,
): Map<string | null, Map<number, Item[]>> {
  const byKey = Map.groupBy(items, keyOf);
  return new Map([...byKey].map(([key, same]) => [key, Map.groupBy(same, day)]));
}

function pairNearest(pass: Rule, known: readonly Row[], others: readonly Row[]): Pair[] {
  const key = pass.key(known);
  const [least, most] = days(pass);
  // Reversed, because `pop` is cheap and `shift` moves a long list.
  const unpaired = byKeyAndDay(known.toReversed(), key, (row) => dayOf(pass, row));
  let open = others.flatMap((row) => {
    const days = unpaired.get(key(row));
    return days ? [{ row, day: dayOfOther(pass, row), days }] : [];
  });
  const pairs: Pair[] = [];
  // Equal dates first, so that no row takes the exact match of another.
  for (let off = 0; off <= Math.max(most, -least); off++) {
    open = open.filter(({ row, day, days }) => {
      const match = (off <= most && days.get(day - off)?.pop()) || (off <= -least && days.get(day + off)?.pop());
      if (match) pairs.push([match, row]);
      return !match;
    });
  }
  return pairs;
}

/** Pairs each row with one of the only group of equal known rows that it fits. */
function pairAlone(pass: Rule, known: readonly Row[], others: readonly Row[]): Pair[] {
  const key = pass.key(known);
  const [least, most] = days(pass);
  const equal = pass.equal ? [...Map.groupBy(known, pass.equal).values()] : known.map((row) => [row]);
  const groups = byKeyAndDay(
    equal,
    ([first]) => key(first!),
    ([first]) => dayOf(pass, first!),
  );
  const candidates = new Map<Row[], Row[]>();
  /** By whole days, because a day may have thousands of groups. */
  const ambiguous = new Set<Row[][]>();
  for (const row of others) {
    const keyOfRow = key(row);
    const sameKey = keyOfRow === null ? undefined : groups.get(keyOfRow);
    if (!sameKey) continue;
    const day = dayOfOther(pass, row);
    const near = Array.from({ length: most - least + 1 }, (_, index) => sameKey.get(day - least - index) ?? []);
    const [only, ...more] = near.filter((found) => found.length > 0);
    if (!only) continue;
    if (more.length > 0 || only.length > 1) for (const found of [only, ...more]) ambiguous.add(found);
    const group = only[0]!;
    if (pass.agree && !pass.agree(group[0]!, row)) continue;
    const rows = candidates.get(group);
    if (rows) rows.push(row);
    else candidates.set(group, [row]);
  }
  for (const found of ambiguous) candidates.delete(found[0]!);
  return [...candidates].flatMap(([group, rows]) =>
    rows.length > group.length ? [] : rows.map((row, index): Pair => [group[group.length - 1 - index]!, row]),
  );
}
