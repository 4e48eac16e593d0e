import type { Explanation } from './explanation.js';
import type { Entry } from './ledger.js';
import { addFlow, type Frame, type Part, runBalances } from './rows.js';

/**
 * Fills the part of an account that entries move. What they do not explain of the reported balances becomes the
 * opening balance and, day by day, adjustments; the last row ends at the newest report.
 *
 * @returns what the last row carries beside that, in the stored sign: today's matter of timing
 */
export function derivePart(
  part: Part,
  { firstDay, lastDay }: Frame,
  factor: 1 | -1,
  entries: readonly Entry[],
  { reports, habits, levels }: Explanation,
): number {
  let balance = levels[0]!.amountMinor;
  let net = 0;
  for (const { day, amountMinor } of entries) {
    if (day > lastDay) continue;
    if (day < firstDay) balance += amountMinor;
    else addFlow(part, day - firstDay, amountMinor);
    net += amountMinor;
  }
  const opening = balance * factor;
  for (let index = 1; index < levels.length; index++) {
    const { from, amountMinor } = levels[index]!;
    part.adjustments[reports.day[from]! - firstDay]! += (amountMinor - levels[index - 1]!.amountMinor) * factor;
  }
  const newest = reports.reported[reports.count - 1]! * habits.sign;
  const carried = (newest - (levels.at(-1)!.amountMinor + net)) * factor;
  part.adjustments[lastDay - firstDay]! += carried;
  runBalances(part, factor, opening);
  return carried;
}
