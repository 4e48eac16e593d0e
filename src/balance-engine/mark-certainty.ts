import { ESTIMATED, UNKNOWN } from './certainty.js';
import { isAfterGap, KNOWN_BITS, openDifference } from './findings.js';
import type { Explanation } from './inference/infer.js';
import type { Frame } from './rows.js';

/** Where a transaction is listed late as often as this, the newest days lack some. */
const OFTEN_LATE_BITS = 2;
const LATE_DAYS = 2;

/** Marks the days of which the facts leave open what their balance was. */
export function markCertainty(frame: Frame, explanation: Explanation): void {
  const { firstDay, lastDay, certainty } = frame;
  const { reports, rivals, baselines, openFrom, traits, isUnexplained } = explanation;
  const mark = (from: number, until: number, value: number) =>
    certainty.subarray(Math.max(0, from - firstDay), Math.max(0, until - firstDay)).forEach((known, offset, days) => {
      if (value > known) days[offset] = value;
    });
  rivals.forEach((rival, index) => {
    if (!isUnexplained(index) && (!rival || rival.bits >= KNOWN_BITS)) return;
    const from = index === 0 ? firstDay : reports.day[index]!;
    mark(from, index + 1 < reports.count ? reports.day[index + 1]! : lastDay + 1, ESTIMATED);
  });
  if (openFrom < reports.count || openDifference(explanation) !== 0) {
    const open = Math.min(openFrom, baselines.at(-1)!.from);
    mark(reports.day[open]!, lastDay + 1, ESTIMATED);
  }
  if (explanation.reversal?.isAmbiguous) mark(firstDay, lastDay + 1, ESTIMATED);
  let isUnlisted = false;
  for (const { from, isTwice } of baselines.slice(1)) {
    // It happened on any of the days since the report before.
    const before = reports.day[from - 1]!;
    mark(before, reports.day[from]!, ESTIMATED);
    if (isAfterGap(reports, from)) mark(before + 1, reports.day[from]!, UNKNOWN);
    else if (!isTwice) isUnlisted = true;
  }
  // What moves the balance unlisted did so before the first report, too.
  if (isUnlisted) mark(firstDay, reports.day[0]!, ESTIMATED);
  if (traits.lateBits < OFTEN_LATE_BITS) mark(lastDay - LATE_DAYS, lastDay + 1, ESTIMATED);
}

/** Marks the days without a report of what moves by itself. */
export function markUnreported({ firstDay, certainty }: Frame, days: Iterable<number>): void {
  const reported = new Set(days);
  certainty.forEach((known, row) => {
    if (!reported.has(firstDay + row)) certainty[row] = Math.max(known, UNKNOWN);
  });
}
