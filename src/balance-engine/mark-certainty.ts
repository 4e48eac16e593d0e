import { ESTIMATED, UNKNOWN } from './certainty.js';
import { isAfterGap, KNOWN_BITS, openDifference, settledCount } from './findings.js';
import { TWIN_DAYS } from './inference/explained-offsets.js';
import type { Explanation } from './inference/infer.js';
import { BITS } from './inference/prices.js';
import type { DayNumber, Entry } from './ledger.js';
import type { Frame } from './rows.js';

/** One explained movement of the balance may be a coincidence. */
const MIN_EXPLAINED = 2;
/** What banks book by themselves comes once a month: if a balance did not move for so long, nothing was left out. */
const MONTH_DAYS = 31;

/** Marks the days of which the facts leave open what their balance was. */
export function markCertainty(frame: Frame, explanation: Explanation): void {
  const { firstDay, lastDay, certainty } = frame;
  const { reports, rivals, baselines, openFrom, isUnexplained } = explanation;
  const mark = (from: number, until: number, value: number) =>
    certainty.subarray(Math.max(0, from - firstDay), Math.max(0, until - firstDay)).forEach((known, offset, days) => {
      if (value > known) days[offset] = value;
    });
  rivals.forEach((rival, index) => {
    if (!isUnexplained(index) && (!rival || rival.bits >= KNOWN_BITS)) return;
    const from = index === 0 ? firstDay : Math.min(reports.day[index]!, rival?.since ?? Infinity);
    mark(from, index + 1 < reports.count ? reports.day[index + 1]! : lastDay + 1, ESTIMATED);
  });
  if (openFrom < reports.count || openDifference(explanation) !== 0) {
    const open = Math.min(openFrom, baselines.at(-1)!.from);
    mark(reports.day[open]!, lastDay + 1, ESTIMATED);
  }
  if (explanation.reversal?.isAmbiguous) mark(firstDay, lastDay + 1, ESTIMATED);
  for (const { from } of baselines.slice(1)) {
    // It happened on any of the days since the report before.
    const before = reports.day[from - 1]!;
    mark(before, reports.day[from]!, ESTIMATED);
    if (isAfterGap(reports, from)) mark(before + 1, reports.day[from]!, UNKNOWN);
  }
  mark(firstDay, untoldUntil(explanation), ESTIMATED);
}

/**
 * What a feed was seen to do it did before the first report, too, where no balance shows it: what moves the balance
 * unlisted may have done so on any of those days, and of equal transactions one may be listed twice. Until the list has
 * explained a movement of the balance, nothing is known of it at all.
 *
 * @returns the day before which days are only estimated for that
 */
function untoldUntil(explanation: Explanation): number {
  const { reports, baselines, traits } = explanation;
  const isLate = BITS.amount + traits.lateBits < BITS.change;
  const changes = baselines.slice(1, isLate ? settledCount(explanation) : undefined);
  const firstReport = reports.day[0]!;
  if (changes.some(({ from, isTwice }) => !isTwice && !isAfterGap(reports, from))) return firstReport;
  if (!hasExplained(explanation)) return firstReport;
  if (!changes.some(({ isTwice }) => isTwice)) return -Infinity;
  return lastTwinBefore(explanation.entries, firstReport);
}

/** Whether the list has explained movements of the balance, or that it did not move for a month. */
function hasExplained({ reports, baselines, offsets }: Explanation): boolean {
  const { count, day, reported } = reports;
  if (day[count - 1]! - day[0]! >= MONTH_DAYS) return true;
  const until = baselines[1]?.from ?? count;
  let explained = 0;
  for (let index = 1; index < until && explained < MIN_EXPLAINED; index++) {
    if (reported[index] !== reported[index - 1] && offsets.cost(index, baselines[0]!.amountMinor) >= 0) explained++;
  }
  return explained === MIN_EXPLAINED;
}

/** The day of the last transaction before a day that is equal to another one; of two of different days the later. */
function lastTwinBefore(entries: readonly Entry[], before: DayNumber): DayNumber {
  const listed = entries.filter(({ day, listedUntil }) => day < before && listedUntil === null);
  listed.sort((a, b) => a.amountMinor - b.amountMinor || a.day - b.day);
  let last = -Infinity;
  for (let place = 1; place < listed.length; place++) {
    const [one, other] = [listed[place - 1]!, listed[place]!];
    const isTwin = one.amountMinor === other.amountMinor && other.day - one.day <= TWIN_DAYS;
    if (isTwin) last = Math.max(last, other.day);
  }
  return last;
}

/** Marks the days without a report of what moves by itself. */
export function markUnreported({ firstDay, certainty }: Frame, days: Iterable<number>): void {
  const reported = new Set(days);
  certainty.forEach((known, row) => {
    if (!reported.has(firstDay + row)) certainty[row] = Math.max(known, UNKNOWN);
  });
}
