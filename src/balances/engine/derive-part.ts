import type { Explanation } from './inference/explanation.js';
import type { DayNumber } from './ledger.js';
import { addFlow, type Frame, type Part, runBalances } from './rows.js';

/**
 * Fills the part of an account that entries move. What they do not explain of the reported balances becomes the
 * opening balance and, day by day, adjustments. The day of the newest report ends at it; later days follow the list.
 *
 * @returns the adjustment of the newest report's day for pending transactions and timing differences, in the stored sign
 */
export function derivePart(part: Part, { firstDay, lastDay }: Frame, factor: 1 | -1, explanation: Explanation): number {
  const { entries, reports, baselines, bases } = explanation;
  let balance = bases[0]!;
  for (const { day, amountMinor, listedUntil } of entries) {
    if (day > lastDay || listedUntil !== null) continue;
    if (day < firstDay) balance += amountMinor;
    else addFlow(part, day - firstDay, amountMinor);
  }
  for (const { day, changedMinor } of baselines) {
    // A transaction that is listed twice may be dated outside of the history: tomorrow, or before a portfolio's first day.
    if (day < firstDay) balance += changedMinor;
    else part.adjustments[Math.min(day, lastDay) - firstDay]! += changedMinor * factor;
  }
  const carried = carriedMinor(explanation, lastDay) * factor;
  const newestRow = reports.day[reports.count - 1]! - firstDay;
  part.adjustments[newestRow]! += carried;
  // What is pending or of another moment is listed on a later day, or never.
  if (newestRow < lastDay - firstDay) part.adjustments[newestRow + 1]! -= carried;
  runBalances(part, factor, balance * factor);
  return carried;
}

/** The newest balance minus what baselines and list explain of it on its day, holder's view. */
export function carriedMinor({ entries, reports, baselines, bases }: Explanation, lastDay: DayNumber): number {
  const reportDay = reports.day[reports.count - 1]!;
  let explained = bases[0]!;
  for (const { day, amountMinor, listedUntil } of entries) {
    if (day <= reportDay && listedUntil === null) explained += amountMinor;
  }
  for (const { day, changedMinor } of baselines) if (Math.min(day, lastDay) <= reportDay) explained += changedMinor;
  return reports.reported[reports.count - 1]! - explained;
}
