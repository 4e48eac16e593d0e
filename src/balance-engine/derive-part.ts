import type { AccountRules } from './account-type.js';
import { toArrivals } from './arrivals.js';
import { toEvidence } from './evidence.js';
import { learnHabits, unexplained } from './habits.js';
import type { Finding } from './history.js';
import type { Entry } from './ledger.js';
import { findLevels, SETTLING_DAYS } from './levels.js';
import { readEntries } from './readings.js';
import type { Reports } from './reports.js';
import { addFlow, type Frame, type Part, runBalances } from './rows.js';

/**
 * Fills the part of an account that entries move. What they do not explain of the reported balances becomes the
 * opening balance and, day by day, adjustments; the last row ends at the newest report.
 */
export function derivePart(
  part: Part,
  { firstDay, lastDay }: Frame,
  rules: AccountRules,
  entries: readonly Entry[],
  reports: Reports,
): Finding[] {
  const arrivals = toArrivals(entries, reports);
  const read = readEntries(entries, arrivals, reports);
  const habits = learnHabits(reports, read.sums, rules.sign);
  const evidence = toEvidence(reports, habits, unexplained(reports, read.sums, habits), entries, arrivals, read);
  const { levels } = findLevels(evidence);

  let balance = levels[0]!.amountMinor;
  let net = 0;
  for (const { day, amountMinor } of entries) {
    if (day > lastDay) continue;
    if (day < firstDay) balance += amountMinor;
    else addFlow(part, day - firstDay, amountMinor);
    net += amountMinor;
  }
  const opening = balance * rules.factor;
  const findings: Finding[] = [];
  for (let index = 1; index < levels.length; index++) {
    const day = reports.day[levels[index]!.from]!;
    const amountMinor = (levels[index]!.amountMinor - levels[index - 1]!.amountMinor) * rules.factor;
    part.adjustments[day - firstDay]! += amountMinor;
    const kind = lastDay - day > SETTLING_DAYS ? 'unexplained_settled' : 'unexplained_open';
    findings.push({ kind, day, amountMinor });
  }
  const newest = reports.reported[reports.count - 1]! * habits.sign;
  part.adjustments[lastDay - firstDay]! += (newest - (levels.at(-1)!.amountMinor + net)) * rules.factor;
  runBalances(part, rules.factor, opening);
  return findings;
}
