import type { Explanation } from './inference/infer.js';
import { addFlow, type Frame, type Part, runBalances } from './rows.js';

/**
 * Fills the part of an account that entries move. What they do not explain of the reported balances becomes the
 * opening balance and, day by day, adjustments; the last row ends at the newest report.
 *
 * @returns the last row's adjustment for pending transactions and timing differences, in the stored sign
 */
export function derivePart(
  part: Part,
  { firstDay, lastDay }: Frame,
  factor: 1 | -1,
  { entries, reports, baselines }: Explanation,
): number {
  let balance = baselines[0]!.amountMinor;
  let net = 0;
  for (const { day, amountMinor, listedUntil } of entries) {
    if (day > lastDay || listedUntil !== null) continue;
    if (day < firstDay) balance += amountMinor;
    else addFlow(part, day - firstDay, amountMinor);
    net += amountMinor;
  }
  for (let index = 1; index < baselines.length; index++) {
    const { day, amountMinor } = baselines[index]!;
    const changed = amountMinor - baselines[index - 1]!.amountMinor;
    // A transaction that is listed twice may be dated outside of the history: tomorrow, or before a portfolio's first day.
    if (day < firstDay) balance += changed;
    else part.adjustments[Math.min(day, lastDay) - firstDay]! += changed * factor;
  }
  const opening = balance * factor;
  const newest = reports.reported[reports.count - 1]!;
  const carried = (newest - (baselines.at(-1)!.amountMinor + net)) * factor;
  part.adjustments[lastDay - firstDay]! += carried;
  runBalances(part, factor, opening);
  return carried;
}
