import { ESTIMATED } from './certainty.js';
import { findGlitches, markGlitches } from './glitches.js';
import type { Entry } from './ledger.js';
import { firstAtOrAfter, type Reports } from './reports.js';
import { addFlow, type Frame, mark, type Part, runBalances } from './rows.js';

/**
 * Fills the part of an account whose value changes without entries: property and the like, or securities whose
 * positions are not listed. Each day keeps the last reported value. What entries do not explain is always an
 * adjustment of the day it was reported, never a timing difference. Short glitches are ignored.
 */
export function deriveReported(part: Part, frame: Frame, entries: readonly Entry[], reports: Reports): void {
  const { firstDay, lastDay } = frame;
  const { at, count, day: days, reported } = reports;
  const { doubtful, passedOver } = findGlitches(reports, reported, entries);
  markGlitches(frame, reports, doubtful);
  for (const { day, amountMinor, listedFrom, listedUntil } of entries) {
    if (listedUntil !== null || day < firstDay || day > lastDay) continue;
    addFlow(part, day - firstDay, amountMinor);
    // What is listed later may have moved the balance after the day's last report.
    const isAfter = listedFrom > at[firstAtOrAfter(days, day + 1) - 1]!;
    if (isAfter) mark(frame, day - firstDay, ESTIMATED, amountMinor);
  }
  const reportedOn = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    if (!passedOver.has(index)) reportedOn.set(days[index]! - firstDay, reported[index]!);
  }
  reportedOn.set(days[count - 1]! - firstDay, reported[count - 1]!);

  const opening = reportedOn.get(0)! - part.inflows[0]! + part.outflows[0]!;
  let balance = opening;
  for (let row = 0; row < part.end.length; row++) {
    const explained = balance + part.inflows[row]! - part.outflows[row]!;
    balance = reportedOn.get(row) ?? explained;
    part.adjustments[row] = balance - explained;
  }
  runBalances(part, 1, opening);
}
