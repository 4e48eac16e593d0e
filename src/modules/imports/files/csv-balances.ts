import type { CalendarDate } from '../../../kit.js';

/** What a booked row moved, and the running balance behind it; `null`: the row has none. */
export interface RunningBalance {
  line: number;
  day: CalendarDate;
  moved: number;
  balance: number | null;
}

export interface DayBalance {
  line: number;
  day: CalendarDate;
  amountMinor: number;
}

interface Break extends DayBalance {
  /** What the rows give. */
  expectedMinor: number;
}

/**
 * The balance at the end of each day that a running balance proves, given an account's rows in the file's order. Within
 * a day the order of rows is unreliable. But each row leads from one balance to another, so whatever their order, the
 * balance to which one row more leads than starts from is the day's last.
 */
export function dayBalances(rows: readonly RunningBalance[]): { balances: DayBalance[]; breaks: Break[] } {
  const inOrder = isNewestFirst(rows) ? rows.toReversed() : rows;
  const days = [...Map.groupBy(inOrder, ({ day }) => day)].sort(([one], [other]) => (one < other ? -1 : 1));
  // Some banks round each amount and each balance for itself, so that a few rows do not lead to their balance.
  const isInOrder = 5 * chainedInOrder(inOrder) >= 4 * (inOrder.length - 1);
  const proven = days.map(([, ofDay]) => endsOf(ofDay));
  const balances: DayBalance[] = [];
  const breaks: Break[] = [];
  let before: number | null = null;
  days.forEach(([day, ofDay], place) => {
    const moved = ofDay.reduce((sum, row) => sum + row.moved, 0);
    const mayTakeLast = isInOrder || place === days.length - 1;
    const closing = proven[place]?.closing ?? closingOf(ofDay, before, proven[place + 1]?.opening, mayTakeLast);
    if (closing !== null) {
      const line = ofDay.find(({ balance }) => balance === closing)?.line ?? ofDay[0]!.line;
      balances.push({ line, day, amountMinor: closing });
      const expectedMinor = before === null ? closing : before + moved;
      if (expectedMinor !== closing) breaks.push({ line, day, amountMinor: closing, expectedMinor });
    }
    before = closing;
  });
  return { balances, breaks };
}

/** How many rows lead from the balance of the row before to their own, read from the oldest or from the newest. */
export function chained(rows: readonly RunningBalance[], sign: 1 | -1 = 1): number {
  const count = (inOrder: readonly RunningBalance[]) =>
    inOrder.filter(({ moved, balance }, place) => {
      const before = inOrder[place - 1]?.balance ?? null;
      return moved !== 0 && before !== null && balance === before + sign * moved;
    }).length;
  return Math.max(count(rows), count(rows.toReversed()));
}

function isNewestFirst(rows: readonly RunningBalance[]): boolean {
  const first = rows[0]?.day ?? '';
  const last = rows.at(-1)?.day ?? '';
  if (first !== last) return first > last;
  const newestFirst = rows.toReversed();
  return chainedInOrder(newestFirst) > chainedInOrder(rows);
}

function chainedInOrder(rows: readonly RunningBalance[]): number {
  return rows.filter(({ moved, balance }, place) => place > 0 && balance === (rows[place - 1]!.balance ?? NaN) + moved)
    .length;
}

/** Of a day in which every row has a balance, and all of them lead from one to another. */
function endsOf(ofDay: readonly RunningBalance[]): { opening: number; closing: number } | null {
  const surplus = new Map<number, number>();
  const add = (balance: number, count: number) => surplus.set(balance, (surplus.get(balance) ?? 0) + count);
  for (const { moved, balance } of ofDay) {
    if (balance === null) return null;
    add(balance, 1);
    add(balance - moved, -1);
  }
  const left = [...surplus].filter(([, count]) => count !== 0);
  if (left.length !== 2 || left.some(([, count]) => Math.abs(count) !== 1)) return null;
  const [closing] = left.find(([, count]) => count === 1)!;
  const [opening] = left.find(([, count]) => count === -1)!;
  return { opening, closing };
}

/** The balance from which the next day continues, or to which the day before leads, or that of the last row. */
function closingOf(
  ofDay: readonly RunningBalance[],
  before: number | null,
  next: number | undefined,
  mayTakeLast: boolean,
): number | null {
  const balances = ofDay.flatMap(({ balance }) => balance ?? []);
  if (balances.length === 0) return null;
  if (next !== undefined && balances.includes(next)) return next;
  const moved = ofDay.reduce((sum, row) => sum + row.moved, 0);
  if (before !== null && balances.includes(before + moved)) return before + moved;
  // A bank that prints one balance for each day prints the last.
  if (balances.length === 1 && ofDay.at(-1)!.balance !== null) return balances[0]!;
  return mayTakeLast ? (ofDay.at(-1)!.balance ?? balances.at(-1)!) : null;
}
