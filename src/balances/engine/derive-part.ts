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
  const { entries, reports, baselines } = explanation;
  let balance = baselines[0]!.amountMinor;
  for (const { day, amountMinor, listedUntil } of entries) {
    if (day > lastDay || listedUntil !== null) continue;
    if (day < firstDay) balance += amountMinor;
    else addFlow(part, day - firstDay, amountMinor);
  }
  for (let index = 1; index < baselines.length; index++) {
    const { day, amountMinor } = baselines[index]!;
    const changed = amountMinor - baselines[index - 1]!.amountMinor;
    // A transaction that is listed twice may be dated outside of the history: tomorrow, or before a portfolio's first day.
    if (day < firstDay) balance += changed;
    else part.adjustments[Math.min(day, lastDay) - firstDay]! += changed * factor;
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
export function carriedMinor({ entries, reports, baselines }: Explanation, lastDay: DayNumber): number {
  const reportDay = reports.day[reports.count - 1]!;
  let explained = baselines[0]!.amountMinor;
  for (const { day, amountMinor, listedUntil } of entries) {
    if (day <= reportDay && listedUntil === null) explained += amountMinor;
  }
  for (let index = 1; index < baselines.length; index++) {
    const { day, amountMinor } = baselines[index]!;
    if (Math.min(day, lastDay) <= reportDay) explained += amountMinor - baselines[index - 1]!.amountMinor;
  }
  return reports.reported[reports.count - 1]! - explained;
}
