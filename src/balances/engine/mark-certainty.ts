import { ESTIMATED, UNKNOWN } from './certainty.js';
import { carriedMinor } from './derive-part.js';
import { gapBefore, isExplained, isMet, lastExplained, openDifference, settledCount } from './findings.js';
import { KNOWN_BITS } from './inference/costs.js';
import { BEHIND_DAYS, firstKnownBy } from './inference/first-seen.js';
import type { Baseline, Explanation } from './inference/explanation.js';
import { type DayNumber, type Entry, SETTLING_DAYS } from './ledger.js';
import { firstAtOrAfter, type Reports } from './reports.js';
import { type Frame, mark } from './rows.js';

/** How far apart payments of each month are, on average. */
const MEAN_MONTH_DAYS = 365.25 / 12;

/** Days that are marked, the last one not included, and why. */
interface Mark {
  from: DayNumber;
  until: DayNumber;
  certainty: typeof ESTIMATED | typeof UNKNOWN;
  /** By how much their balance is more or less if it is so, holder's view; 0: unknown. */
  doubtMinor: number;
  why:
    /** Another explanation is near. */
    | 'rival'
    /** What is owed may be a credit, or the other way round. */
    | 'sign'
    /** A difference may still settle. */
    | 'open'
    /** The newest balance includes what is pending, or is of another moment than the list: another is expected. */
    | 'carried'
    /** The day is not as it was reported, and no rule explains why. */
    | 'unlike'
    /** What is unlisted was made good to the minor unit. */
    | 'return'
    /** The list has changed since a balance that agreed with it. */
    | 'revision'
    /** Something unlisted moved the balance on one of these days; */
    | 'change'
    /** the same, with no report for long. */
    | 'gap'
    /** No balance covers the days, and something was left out later on; */
    | 'fees'
    /** the list has explained too little; */
    | 'unproven'
    /** one of two equal transactions may be one that is listed twice. */
    | 'twice';
}

/** Marks the days of which the facts leave open what their balance was. */
export function markCertainty(frame: Frame, explanation: Explanation, factor: 1 | -1): void {
  const { firstDay, lastDay } = frame;
  for (const { from, until, certainty, doubtMinor } of marksOf(explanation, firstDay, lastDay)) {
    const end = Math.min(until, lastDay + 1) - firstDay;
    for (let row = Math.max(0, from - firstDay); row < end; row++) mark(frame, row, certainty, doubtMinor * factor);
  }
}

export function* marksOf(explanation: Explanation, firstDay: DayNumber, lastDay: DayNumber): Generator<Mark> {
  const { reports, rivals, baselines, bases, offsets, openFrom, isUnexplained } = explanation;
  const estimated = (from: DayNumber, until: DayNumber, why: Mark['why'], doubtMinor = 0): Mark => {
    return { from, until, certainty: ESTIMATED, doubtMinor, why };
  };
  // What moved the balance on one of the days may have done so on the others, before the day that has it or after.
  const moved = (from: DayNumber, until: DayNumber, why: Mark['why'], day: DayNumber, minor: number): Mark[] => [
    estimated(from, Math.min(day, until), why, minor),
    estimated(Math.max(from, day), until, why, -minor),
  ];
  // While a difference is open, a day has the balance reported, and rivals differ from the one before it.
  const settled = bases[openFrom - 1] ?? NaN;
  const openMinor = (index: number) => (index < openFrom ? 0 : bases[index]! - settled);
  // From a report on until the next one.
  const nextDay = (index: number) => reports.day[index + 1] ?? lastDay + 1;
  for (let index = 0; index < reports.count; index++) {
    const rival = rivals[index];
    if (!isUnexplained(index) && (!rival || rival.bits >= KNOWN_BITS)) continue;
    const from = index === 0 ? firstDay : Math.min(reports.day[index]!, rival?.since ?? Infinity);
    const doubtMinor = isUnexplained(index) ? 0 : rival!.differenceMinor - openMinor(index);
    yield estimated(from, nextDay(index), 'rival', doubtMinor);
  }
  if (explanation.signBits < KNOWN_BITS) yield estimated(firstDay, lastDay + 1, 'sign');
  const newestDay = reports.day[reports.count - 1]!;
  const carried = carriedMinor(explanation, lastDay);
  if (carried !== 0) yield estimated(newestDay, newestDay + 1, 'carried', -carried);
  if (openFrom < reports.count || openDifference(explanation, firstDay) !== 0) {
    const open = Math.min(openFrom, baselines.at(-1)!.from);
    const { day } = baselines.find(({ from }) => from >= open)!;
    yield* moved(reports.day[open]!, lastDay + 1, 'open', day, bases.at(-1)! - (bases[open - 1] ?? NaN));
  }
  for (let index = 0; index < reports.count; index++) {
    if (isExplained(explanation, index)) continue;
    const from = Math.max(ownDay(explanation, index), reports.day[index - 1] ?? -Infinity);
    yield estimated(from, nextDay(index), 'unlike', offsets.plain(index) - bases[index]!);
  }
  for (const { day, amountMinor, listedFrom, movedAt = listedFrom } of explanation.entries) {
    if (movedAt <= listedFrom) continue;
    // The bank may as well mean that it counts from then on.
    const until = reports.day[firstAtOrAfter(reports.at, movedAt)] ?? lastDay + 1;
    yield estimated(day, until, 'unlike', -amountMinor);
  }
  for (const [from, until, minor] of returns(explanation)) yield estimated(from, until, 'return', -minor);
  for (const [from, until, minor] of revisions(explanation)) yield estimated(from, until, 'revision', minor);
  for (const { from, day, changedMinor, unshown } of baselines.slice(1)) {
    if (day < firstDay || unshown === 'late') continue;
    // It happened on any of the days since the last balance without it.
    const before = lastExplained(explanation, from);
    const since = Math.min(ownDay(explanation, before), firstNewSince(explanation, before, from));
    yield* moved(since, reports.day[from]!, 'change', day, changedMinor);
    const gap = gapBefore(explanation, from);
    if (gap > 0) yield { ...estimated(reports.day[gap - 1]! + 1, reports.day[gap]!, 'gap'), certainty: UNKNOWN };
  }
  yield estimated(firstDay, lastTwice(explanation), 'twice');
  const unproven = unprovenUntil(explanation, firstDay);
  if (!unproven) return;
  const [until, why] = unproven;
  yield estimated(firstDay, until, why);
  // No balance bears on the days after the newest one either.
  yield estimated(ownDay(explanation, reports.count - 1) + 1, lastDay + 1, why);
}

/**
 * From which day to which the offset was another one, by how much, between changes after which it is what it was before: it may
 * have been no money, such as a limit that was added.
 */
function* returns({ baselines }: Explanation): Generator<[DayNumber, DayNumber, number]> {
  const left = new Map<number, Baseline>();
  for (const [place, { day, amountMinor, unshown }] of baselines.entries()) {
    const change = left.get(amountMinor);
    if (change && unshown !== 'late') yield [change.day, day, change.changedMinor];
    if (place + 1 < baselines.length) left.set(amountMinor, baselines[place + 1]!);
  }
}

/**
 * The days of which the list says something else now than when a later balance agreed with it: a transaction was listed,
 * changed or dropped since, and the balance followed.
 */
function* revisions(explanation: Explanation): Generator<[DayNumber, DayNumber, thenMinor: number]> {
  const { entries, reports, offsets, bases, baselines } = explanation;
  const { at, day, count } = reports;
  const undone = new Set<unknown>(baselines.map(({ movement }) => movement));
  const ended = entries.filter(({ listedUntil }) => listedUntil !== null);
  const corrected = new Set<string | number>(ended.flatMap(({ key, listedUntil }) => [key, listedUntil!]));
  const firstKnown = firstKnownBy(reports);
  // By how much more the list made then, and the first day since the report before of which it says something else.
  const more = new Float64Array(count + 1);
  const since = new Map<number, DayNumber>();
  // The first report after the day of an entry; entries are in the order of their days.
  let over = 0;
  for (const entry of entries) {
    const { key, day: booked, amountMinor, listedFrom, listedUntil } = entry;
    while (over < count && day[over]! <= booked) over++;
    // Nearly all are listed by then.
    if (listedUntil === null && (over === count || listedFrom <= at[over]!)) continue;
    const isCorrection = undone.has(entry) || corrected.has(key) || corrected.has(listedFrom);
    const seen = firstKnown({ ...entry, isCorrection });
    const [from, until] = listedUntil === null ? [over, seen] : [Math.max(over, seen), firstAtOrAfter(at, listedUntil)];
    if (from >= until) continue;
    more[from]! += listedUntil === null ? -amountMinor : amountMinor;
    more[until]! -= listedUntil === null ? -amountMinor : amountMinor;
    if (!since.has(over)) since.set(over, booked);
  }
  let sum = 0;
  for (let index = 0; index < count; index++) {
    sum += more[index]!;
    const from = since.get(index);
    if (sum !== 0 && from !== undefined && isMet(explanation, offsets.asListed(index), bases[index]!))
      yield [from, day[index]!, sum];
  }
}

/**
 * The last day that a balance covers: that of its statement, or the one the bank states, else that of its report.
 * `-Infinity`: the first statement's day is unknown.
 */
function ownDay({ reports: { day, balanceDay }, traits: { statementDay } }: Explanation, index: number): DayNumber {
  if (!Number.isNaN(statementDay[index]!)) return statementDay[index]!;
  if (Number.isNaN(balanceDay[index]!) && !Number.isNaN(statementDay.at(-1)!)) return -Infinity;
  return balanceDay[index]! < day[index]! ? balanceDay[index]! : day[index]!;
}

/**
 * The first day of the transactions listed up to report `until` that the explained report `before` may lack. They, too,
 * may cause a difference.
 */
function firstNewSince(explanation: Explanation, before: number, until: number): DayNumber {
  const { reports, offsets, bases } = explanation;
  const base = bases[before]!;
  const mayLack = (index: number) =>
    reports.day[before]! - reports.day[index]! < BEHIND_DAYS && !isMet(explanation, offsets.asListed(index), base);
  let agreeing = before;
  while (agreeing > 0 && mayLack(agreeing)) agreeing--;
  let first = Infinity;
  for (let index = agreeing + 1; index <= until; index++) first = Math.min(first, offsets.firstDayOfNew(index));
  return first;
}

/**
 * Faults of a feed are assumed for the time before the first report, too, where no balance shows them. If something
 * unlisted moved the balance later, it may have done so on these days. Until the list has explained a movement, or
 * ten days, nothing is known of it.
 *
 * @returns the day before which days are only estimated, and why
 */
function unprovenUntil(explanation: Explanation, firstDay: DayNumber): [DayNumber, Mark['why']] | null {
  const { reports, baselines } = explanation;
  const changes = baselines.slice(1, settledCount(explanation, firstDay));
  const firstReport = reports.day[0]!;
  const isFee = ({ from, day, unshown }: Baseline) =>
    unshown !== 'duplicate' && unshown !== 'late' && day >= firstDay && gapBefore(explanation, from) === 0;
  if (explanation.isSeenOnce || stoodStill(explanation)) return [reports.day[reports.count - 1]! + 1, 'unproven'];
  if (changes.some(isFee)) return [firstReport, 'fees'];
  if (!hasExplained(explanation)) return [firstReport, 'unproven'];
  return null;
}

/**
 * The day of the last two equal transactions of one day before the first report, one of which the bank may list twice: of an
 * amount that comes on no other day, or monthly, and until a balance had both of two such.
 */
function lastTwice({ entries, reports, baselines }: Explanation): DayNumber {
  const firstReport = reports.day[0]!;
  const isListed = ({ listedUntil, amountMinor }: Entry) => listedUntil === null && amountMinor !== 0;
  const twice: Entry[] = [];
  let before: Entry | undefined;
  for (const entry of entries) {
    if (!isListed(entry)) continue;
    if (before?.day === entry.day && before.amountMinor === entry.amountMinor) twice.push(before);
    before = entry;
  }
  const since = twice.filter(({ day }) => day >= firstReport).length;
  if (since > baselines.filter(({ unshown }) => unshown === 'duplicate').length) return -Infinity;
  // Few are equal, so each is compared with all others: what they are grouped by would be made of the whole history.
  const isRare = ({ day, amountMinor }: Entry) =>
    entries.every((entry) => {
      if (entry.amountMinor !== amountMinor || !isListed(entry)) return true;
      const apart = Math.abs(entry.day - day);
      return Math.abs(apart - Math.round(apart / MEAN_MONTH_DAYS) * MEAN_MONTH_DAYS) <= BEHIND_DAYS;
    });
  return twice.findLast((entry) => entry.day < firstReport && isRare(entry))?.day ?? -Infinity;
}

/** Whether the list has explained a movement of the balance, or nothing was left out for long. */
function hasExplained(explanation: Explanation): boolean {
  const { reports, baselines, bases, offsets } = explanation;
  const { count, reported } = reports;
  const days = ownDay(explanation, count - 1) - ownDay(explanation, 0);
  if (days >= SETTLING_DAYS && days < Infinity) return true;
  const until = baselines[1]?.from ?? count;
  for (let index = 1; index < until; index++) {
    if (reported[index] !== reported[index - 1] && offsets.cost(index, bases[0]!) >= 0) return true;
  }
  return false;
}

/** Whether the balance never moved while the list did: then it may be that of the last statement. */
function stoodStill({ reports: { count, day, reported }, entries }: Explanation): boolean {
  if (count === 1 || reported.some((amount) => amount !== reported[0])) return false;
  let moved = 0;
  for (const entry of entries) {
    const isNew = entry.day > day[0]! && entry.day <= day[count - 1]!;
    if (isNew && entry.listedUntil === null) moved += entry.amountMinor;
  }
  return moved !== 0;
}

/**
 * Whether the newest balance is of an earlier day, and the list has nothing since, though most other balances were of the
 * day of their sync or the day before.
 */
function hasStopped({ entries, reports: { count, day, balanceDay } }: Explanation): boolean {
  const own = balanceDay[count - 1]!;
  const isBehind = (index: number) => day[index]! - balanceDay[index]! > 1;
  if (!isBehind(count - 1) || entries.some((entry) => entry.day > own)) return false;
  const others = [...balanceDay.keys()].filter((index) => balanceDay[index]! < own);
  return others.filter(isBehind).length * 2 < others.length;
}

/**
 * The last day on which balance or list moved, if it is far less likely that nothing happened since than that both repeat
 * themselves: that an account has nothing on a day is as likely as it was before, and in ten days before that.
 */
function stillSince({ entries, reports: { count, day, reported } }: Explanation, lastDay: DayNumber): DayNumber {
  let moved = count - 1;
  // Of nothing nothing is spent.
  if (reported[moved] === 0) return Infinity;
  while (moved > 0 && reported[moved] === reported[moved - 1]) moved--;
  const listed = entries.filter(({ listedUntil }) => listedUntil === null);
  const last = listed.reduce((newest, entry) => Math.max(newest, entry.day), day[moved]!);
  if (last >= lastDay) return Infinity;
  const first = listed.reduce((oldest, entry) => Math.min(oldest, entry.day), last);
  const busy = new Uint8Array(last - first + 1);
  for (const entry of listed) busy[entry.day - first] = 1;
  const quiet = 1 - busy.reduce((days, isBusy) => days + isBusy, 0) / (last - first + SETTLING_DAYS);
  return (lastDay - last) * -Math.log2(quiet) > KNOWN_BITS ? last : Infinity;
}

/**
 * Marks the days after the newest balance and the last whole list, which shows nothing where both have stopped.
 *
 * @param completeOn the day of that list; `null`: none is known
 */
export function markUnlisted(frame: Frame, explanation: Explanation, completeOn: DayNumber | null) {
  const own = ownDay(explanation, explanation.reports.count - 1);
  const last = hasStopped(explanation) ? own : Math.max(own, completeOn ?? -Infinity);
  const { firstDay, lastDay, certainty } = frame;
  for (let row = stillSince(explanation, lastDay) + 1 - firstDay; row < certainty.length; row++)
    mark(frame, row, ESTIMATED);
  certainty.fill(UNKNOWN, Math.max(0, last + 1 - firstDay));
}

/** Marks the days without a report of what moves by itself. */
export function markUnreported({ firstDay, certainty }: Frame, days: Iterable<number>): void {
  const reported = new Set(days);
  certainty.forEach((known, row) => {
    if (!reported.has(firstDay + row)) certainty[row] = Math.max(known, UNKNOWN);
  });
}

/** The days of the reports of a valuation, and those between two in which it was made before the first of them. */
export function* valuedDays({ count, day, balanceDay, reported }: Reports): Generator<DayNumber> {
  for (let index = 0; index < count; index++) {
    const isRepeated = balanceDay[index]! <= day[index - 1]! && reported[index] === reported[index - 1];
    // A value of 0 may be none.
    const from = isRepeated && reported[index] !== 0 ? day[index - 1]! : day[index]!;
    for (let valued = from; valued <= day[index]!; valued++) yield valued;
  }
}
