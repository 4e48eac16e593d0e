import type { Bank } from './bank.js';
import type { Report } from './feed.js';
import type { Member } from './household.js';
import type { Movement, TrueAccount } from './truth.js';
import { SETTLING_DAYS } from '../../src/balance-engine/story.js';

/**
 * Which days the feed determines, up to one sync: 1 = knowable. A day's balance follows from a reported one when no
 * booking that is still unknown lies between the two, and the reported one can be understood. It is written from the
 * truth alone and does not ask the engine.
 */
export function knowableDays(
  { account, bank }: Member,
  reports: readonly Report[],
  seenAt: readonly number[],
  firstDay: number,
  today: number,
): Uint8Array {
  const now = reports.at(-1)!.observation.observedAt;
  const knowable = new Uint8Array(today - firstDay + 1);
  if (account.stakes.length > 0 || account.valuations.size > 0) {
    for (const { observation } of reports) if (observation.day >= firstDay) knowable[observation.day - firstDay] = 1;
    if (account.stakes.length === 0) return knowable;
    excludeUnseenTrades(knowable, account, reports, firstDay);
  } else knowable.fill(1);

  const unknown = account.movements.filter(
    ({ day, bookedAt, isTrade }, index) => seenAt[index]! > now && !isTrade && (day <= today || bookedAt <= now),
  );
  const usable = usableReports(bank, account, reports, seenAt);
  const contained = prefixMarks(unknown, ({ bookedAt }) => bookedAt);
  const reachable = levelsShown(reports, usable, ({ balanceOf }) => contained(balanceOf));
  const dated = prefixMarks(unknown, ({ day }) => day);
  for (let day = firstDay; day <= today; day++) if (!reachable.has(dated(day))) knowable[day - firstDay] = 0;
  const lateTrades = account.movements.filter(
    ({ bookedAt, isTrade }, index) => isTrade && bookedAt <= now && seenAt[index]! > now && seenAt[index]! < Infinity,
  );
  for (const movement of [...unknown, ...lateTrades]) excludeUndecided(knowable, movement, usable, firstDay, today);
  excludeHidden(knowable, reports, firstDay);
  excludeHiddenAtFirst(knowable, account, reports, seenAt, firstDay);
  return knowable;
}

/**
 * The levels that reports determine. One report that agrees with the list is not enough when another disagrees with it:
 * either of the two could be the one that is off. Agreement on two days decides.
 */
function levelsShown(
  reports: readonly Report[],
  usable: readonly Report[],
  levelOf: (report: Report) => number,
): Set<number> {
  const shown = new Set<number>();
  const agreed = groupBy(usable, levelOf);
  const all = groupBy(reports, levelOf);
  for (const [level, agreeing] of agreed) {
    const days = new Set(agreeing.map(({ observation }) => observation.day));
    if (days.size > 1 || agreeing.length === all.get(level)!.length) shown.add(level);
  }
  return shown;
}

/**
 * A hold in the first balances that was never listed, and is not booked with its own amount, could as well be a booking
 * that was never listed: so much less was there from the beginning, or so much was given back on the day it ended.
 */
function excludeHiddenAtFirst(
  knowable: Uint8Array,
  { movements }: TrueAccount,
  reports: readonly Report[],
  seenAt: readonly number[],
  firstDay: number,
): void {
  const { observedAt } = reports.at(-1)!.observation;
  const traced = reports.find(({ hiddenHolds }) =>
    hiddenHolds.every(
      ({ amountMinor, booking }) =>
        booking?.amountMinor === amountMinor && seenAt[movements.indexOf(booking)]! <= observedAt,
    ),
  );
  if (traced !== reports[0]) knowable.fill(0, 0, traced ? traced.observation.day - firstDay : undefined);
}

/**
 * What was traded after a snapshot shows in the next one. Where that is far away, other trades and payments lie between,
 * and each of them could be the one: the day of the snapshot before is as unknown as those without any.
 */
function excludeUnseenTrades(
  knowable: Uint8Array,
  { movements }: TrueAccount,
  reports: readonly Report[],
  firstDay: number,
): void {
  for (const { isTrade, day, bookedAt } of movements) {
    const next = isTrade ? reports.findIndex(({ observation }) => observation.observedAt >= bookedAt) : -1;
    const before = reports[next - 1]?.observation.day;
    if (before === day && reports[next]!.observation.day - day > SETTLING_DAYS) knowable[day - firstDay] = 0;
  }
}

/** A balance may be so many days behind: for that time it could as well lack an entry as have had it already. */
const LAG_DAYS = 2;

/** While a hold that is not listed is in the balance, the days since could as well be true as they were reported. */
function excludeHidden(knowable: Uint8Array, reports: readonly Report[], firstDay: number): void {
  const today = reports.at(-1)!.observation.day;
  const lastHidden = reports.findLastIndex(({ hiddenHolds }) => hiddenHolds.length > 0);
  if (lastHidden < 0 || today - reports[lastHidden]!.observation.day > LAG_DAYS) return;
  const clean = reports.findLastIndex(({ hiddenHolds }, index) => index < lastHidden && hiddenHolds.length === 0);
  const hiddenFrom = reports[clean + 1];
  if (hiddenFrom) knowable.fill(0, Math.max(0, hiddenFrom.observation.day - firstDay));
}

/** An unlisted booking may be of any day since the last balance without it, and while it is new it may be a mere hold. */
function excludeUndecided(
  knowable: Uint8Array,
  { day, bookedAt }: Movement,
  reports: readonly Report[],
  firstDay: number,
  today: number,
): void {
  const firstWith = reports.findIndex(({ balanceOf }) => balanceOf >= bookedAt);
  if (firstWith < 0) return;
  const from = Math.min(day, reports[firstWith - 1]?.observation.day ?? day);
  const appeared = reports[firstWith]!.observation.day;
  const isOpen = today - appeared <= SETTLING_DAYS;
  knowable.fill(0, Math.max(0, from - firstDay), (isOpen ? today + 1 : appeared) - firstDay);
}

/**
 * Reports whose balance can be understood: balance and list agree about every booking that is ever listed, and a habit
 * that changes the meaning of the balance has shown itself often enough.
 */
function usableReports(
  bank: Bank,
  account: TrueAccount,
  reports: readonly Report[],
  seenAt: readonly number[],
): Report[] {
  const changes = (of: (report: Report) => string | number) =>
    reports.filter((report, index) => index > 0 && of(report) !== of(reports[index - 1]!)).length;
  if (
    account.type === 'credit_card' &&
    bank.debtPositive &&
    changes(({ observation }) => observation.balanceMinor) < 3
  ) {
    return [];
  }
  const firstDay = reports[0]!.observation.day;
  const listed = account.movements
    .map(({ day, bookedAt, isTrade }, index) => ({ day, bookedAt, isTrade, seen: seenAt[index]! }))
    .filter(({ day, seen, isTrade }) => !isTrade && seen < Infinity && day >= firstDay - 10);
  const holdsShown = changes(({ observation }) => observation.pendingMinor.join()) >= 3;
  return reports.filter(({ observation, balanceOf, hiddenHolds, listedHoldsMinor }) => {
    const hasHolds = observation.pendingMinor.length > 0 || listedHoldsMinor !== 0;
    const agrees = listed.every(({ bookedAt, seen }) => bookedAt <= balanceOf === seen <= observation.observedAt);
    return agrees && hiddenHolds.length === 0 && (holdsShown || !hasHolds);
  });
}

/** For a limit, a number that is the same exactly when the same movements lie at or before it. */
function prefixMarks(movements: readonly Movement[], of: (movement: Movement) => number): (limit: number) => number {
  const sorted = movements.map((movement, index) => ({ at: of(movement), mark: hash(index + 1) }));
  sorted.sort((a, b) => a.at - b.at);
  const marks: number[] = [];
  let mark = 0;
  for (const { mark: own } of sorted) marks.push((mark ^= own));
  return (limit) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.at <= limit) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : marks[low - 1]!;
  };
}

function hash(index: number): number {
  let mixed = Math.imul(index, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
