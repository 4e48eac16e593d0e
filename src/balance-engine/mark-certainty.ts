import { ESTIMATED, UNKNOWN } from './certainty.js';
import { isAfterGap, KNOWN_BITS, openDifference, settledCount } from './findings.js';
import type { Explanation } from './inference/infer.js';
import { BITS } from './inference/prices.js';
import type { DayNumber, Entry } from './ledger.js';
import type { Frame } from './rows.js';

/** One explained movement of the balance may be a coincidence. */
const MIN_EXPLAINED = 2;
/** Where no balance shows whether a transaction is listed twice, it is doubted until a pair of equal ones was two in one. */
const DOUBLED_BITS = 5.2;
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
 * unlisted may have done so on any of those days. Until the list has explained a movement of the balance, nothing is known
 * of it at all. And of two equal transactions one may be listed twice, until balances have shown that equal ones are two.
 *
 * @returns the day before which days are only estimated for that
 */
function untoldUntil(explanation: Explanation): number {
  const { reports, baselines, traits, offsets } = explanation;
  const isLate = BITS.amount + traits.lateBits < BITS.change;
  const changes = baselines.slice(1, isLate ? settledCount(explanation) : undefined);
  const firstReport = reports.day[0]!;
  if (changes.some(({ from, isTwice }) => !isTwice && !isAfterGap(reports, from))) return firstReport;
  if (!hasExplained(explanation)) return firstReport;
  return offsets.twiceBits < DOUBLED_BITS ? lastPairUntil(explanation.entries, firstReport) : -Infinity;
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

/** The last day until a given one that lists two equal transactions. */
function lastPairUntil(entriesInOrder: readonly Entry[], until: DayNumber): DayNumber {
  let last = -Infinity;
  let before: Entry | undefined;
  for (const entry of entriesInOrder) {
    if (entry.day > until) break;
    if (entry.listedUntil !== null) continue;
    if (before?.day === entry.day && before.amountMinor === entry.amountMinor) last = entry.day;
    before = entry;
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
