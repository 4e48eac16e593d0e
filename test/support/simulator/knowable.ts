import type { Report } from './feed.js';
import type { Cut, Knowledge } from './knowledge.js';
import type { ListedRow } from './listed-rows.js';
import { dayOf } from './span.js';
import { ACCRUAL_BOOKED, ACCRUAL_DAYS, isStated, type Movement } from './truth.js';

/** A difference that appeared less than so many days ago may go away again. */
const SETTLING_DAYS = 10;
/** A balance may be so many days behind: for that time it could as well lack an entry as have had it already. */
const LAG_DAYS = 2;

/** A part of the books that is not in the list, or a row that is in the list and not in the books. */
interface Discrepancy {
  mark: number;
  day: number;
  isIn: (report: Report, cut: Cut) => boolean;
  /** The day of the first report that shows it, when it is new. */
  openSince: number;
}

type Usable = ReturnType<Knowledge['usable']>[number];

/**
 * Which days the feed determines, up to the newest report: 1 = knowable. A day's balance follows from a reported one when
 * all that the list lacks, or has too much, lies on the same side of both, and the reported one can be understood. It is
 * written from the truth alone and does not ask the engine.
 */
export function knowableDays(knowledge: Knowledge, firstDay: number, today: number): Uint8Array {
  const { reports, member } = knowledge;
  const { account } = member;
  const now = reports.at(-1)!.observation.observedAt;
  const knowable = new Uint8Array(today - firstDay + 1);
  if (account.stakes.length > 0 || account.valuations.size > 0) {
    for (const { observation } of reports) if (observation.day >= firstDay) knowable[observation.day - firstDay] = 1;
    if (account.stakes.length === 0) return knowable;
    excludeUnseenTrades(knowable, account.movements, reports, firstDay);
  } else knowable.fill(1);

  const unknown = account.movements.filter((movement) => isUnknown(movement, knowledge, now));
  const usable = knowledge.usable();
  const discrepancies = [...unknown.map(lacked), ...knowledge.doubles.filter(isListedBy(now)).map(doubled)];
  const reachable = levelsShown(reports, usable, (report, cut) =>
    markOf(discrepancies, (one) => one.isIn(report, cut)),
  );
  const dated = marksByDay(discrepancies);
  for (let day = firstDay; day <= today; day++) if (!reachable.has(dated(day))) knowable[day - firstDay] = 0;
  const lateTrades = account.movements.filter(
    (movement) => movement.isTrade && movement.bookedAt <= now && isLate(knowledge.seenAt(movement), now),
  );
  for (const movement of [...unknown, ...lateTrades]) excludeUndecided(knowable, movement, usable, firstDay, today);
  for (const { day, openSince } of discrepancies)
    if (today - openSince <= SETTLING_DAYS) exclude(knowable, firstDay, day);
  excludeHidden(knowable, reports, usable, firstDay);
  excludeHiddenAtFirst(knowable, knowledge, firstDay);
  for (const day of knowledge.reversedRows()) exclude(knowable, firstDay, day);
  if (account.accruesPerDayMinor > 0) excludeAccruing(knowable, firstDay);
  return knowable;
}

/** What is booked later, under whatever day, is no part of the books yet. */
function isUnknown(movement: Movement, knowledge: Knowledge, now: number): boolean {
  if (movement.isTrade || movement.bookedAt > now || !isStated(movement, now)) return false;
  return !knowledge.isListed(movement, now);
}

function isLate(seenAt: number, now: number): boolean {
  return seenAt > now && seenAt < Infinity;
}

function isListedBy(now: number): (row: ListedRow) => boolean {
  return ({ listedFrom }) => listedFrom <= now;
}

function lacked(movement: Movement, index: number): Discrepancy {
  const { day, bookedAt } = movement;
  const isIn = ({ balanceOf }: Report) => bookedAt <= balanceOf && isStated(movement, balanceOf);
  return { mark: hash(index + 1), day, isIn, openSince: -Infinity };
}

/** Listed twice: until it has lasted, the second may as well be one that the balance still lacks. */
function doubled({ day, listedFrom }: ListedRow, index: number): Discrepancy {
  const isIn = ({ observation, balanceOf }: Report, cut: Cut) =>
    cut === 'listed' ? listedFrom <= observation.observedAt : day <= dayOf(balanceOf);
  const isNew = dayOf(listedFrom) - day <= SETTLING_DAYS;
  return { mark: hash(~index), day, isIn, openSince: isNew ? dayOf(listedFrom) : -Infinity };
}

function markOf(discrepancies: readonly Discrepancy[], isIn: (one: Discrepancy) => boolean): number {
  return discrepancies.reduce((mark, one) => (isIn(one) ? mark ^ one.mark : mark), 0);
}

/** For a day, a number that is the same exactly when the same discrepancies lie at or before it. */
function marksByDay(discrepancies: readonly Discrepancy[]): (day: number) => number {
  const sorted = [...discrepancies].sort((a, b) => a.day - b.day);
  let mark = 0;
  const marks = sorted.map((one) => (mark ^= one.mark));
  return (day) => {
    const count = sorted.findIndex((one) => one.day > day);
    return count === 0 ? 0 : (marks.at(count < 0 ? -1 : count - 1) ?? 0);
  };
}

/**
 * The levels that reports determine. One report that agrees with the list is not enough when another disagrees with it:
 * either of the two could be the one that is off. Agreement on two days decides.
 */
function levelsShown(
  reports: readonly Report[],
  usable: readonly Usable[],
  levelOf: (report: Report, cut: Cut) => number,
): Set<number> {
  const shown = new Set<number>();
  const all = groupBy(reports, (report) => levelOf(report, 'listed'));
  for (const [level, agreeing] of groupBy(usable, ({ report, cut }) => levelOf(report, cut))) {
    const days = new Set(agreeing.map(({ report, cut }) => factDay(report, cut)));
    if (days.size > 1 || agreeing.length >= (all.get(level)?.length ?? 0)) shown.add(level);
  }
  return shown;
}

/** A balance that is repeated for weeks is one fact. */
function factDay({ observation, balanceOf }: Report, cut: Cut): number {
  return cut === 'listed' ? observation.day : dayOf(balanceOf);
}

/**
 * A hold in the first balances that was never listed, and is not booked with its own amount, could as well be a booking
 * that was never listed: so much less was there from the beginning, or so much was given back on the day it ended.
 */
function excludeHiddenAtFirst(knowable: Uint8Array, knowledge: Knowledge, firstDay: number): void {
  const { reports } = knowledge;
  const { observedAt } = reports.at(-1)!.observation;
  const traced = reports.find(({ hiddenHolds }) =>
    hiddenHolds.every(
      ({ amountMinor, booking }) => booking?.amountMinor === amountMinor && knowledge.seenAt(booking) <= observedAt,
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
  movements: readonly Movement[],
  reports: readonly Report[],
  firstDay: number,
): void {
  for (const { isTrade, day, bookedAt } of movements) {
    const next = isTrade ? reports.findIndex(({ observation }) => observation.observedAt >= bookedAt) : -1;
    const before = reports[next - 1]?.observation.day;
    if (before === day && reports[next]!.observation.day - day > SETTLING_DAYS) knowable[day - firstDay] = 0;
  }
}

/** Until a balance shows that a hold that is not listed is gone, the days since could as well be true as reported. */
function excludeHidden(
  knowable: Uint8Array,
  reports: readonly Report[],
  usable: readonly Usable[],
  firstDay: number,
): void {
  const today = reports.at(-1)!.observation.day;
  const lastHidden = reports.findLastIndex(({ hiddenHolds }) => hiddenHolds.length > 0);
  if (lastHidden < 0) return;
  const { observedAt, day } = reports[lastHidden]!.observation;
  const isGone = usable.some(({ report }) => report.observation.observedAt > observedAt);
  if (isGone && today - day > LAG_DAYS) return;
  const clean = reports.findLastIndex(({ hiddenHolds }, index) => index < lastHidden && hiddenHolds.length === 0);
  const hiddenFrom = reports[clean + 1];
  if (hiddenFrom) exclude(knowable, firstDay, hiddenFrom.observation.day);
}

/** An unlisted booking may be of any day since the last balance without it, and while it is new it may be a mere hold. */
function excludeUndecided(
  knowable: Uint8Array,
  { day, bookedAt }: Movement,
  usable: readonly Usable[],
  firstDay: number,
  today: number,
): void {
  const firstWith = usable.findIndex(({ report }) => report.balanceOf >= bookedAt);
  if (firstWith < 0) return;
  const dayAt = (index: number) => usable[index] && factDay(usable[index].report, usable[index].cut);
  const appeared = dayAt(firstWith)!;
  const isOpen = today - usable[firstWith]!.report.observation.day <= SETTLING_DAYS;
  exclude(knowable, firstDay, Math.min(day, dayAt(firstWith - 1) ?? day), isOpen ? today + 1 : appeared);
}

/** Interest that accrues is in the reported balances and in no row: whose days it belongs to is a matter of taste. */
function excludeAccruing(knowable: Uint8Array, firstDay: number): void {
  knowable.forEach((_known, row) => {
    if ((firstDay + row - ACCRUAL_BOOKED) % ACCRUAL_DAYS !== 0) knowable[row] = 0;
  });
}

function exclude(knowable: Uint8Array, firstDay: number, from: number, until?: number): void {
  knowable.fill(0, Math.max(0, from - firstDay), until === undefined ? undefined : Math.max(0, until - firstDay));
}

function hash(index: number): number {
  let mixed = Math.imul(index, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
