import type { ReportedSign } from './account-type.js';
import type { Explanation } from './explanation.js';
import type { Finding } from './finding.js';
import type { DayNumber } from './ledger.js';
import type { Reports } from './reports.js';
import { type Level, SETTLING_DAYS } from './story.js';

/**
 * What a person should know about the part of an account that entries move, oldest first. Every adjustment is told.
 *
 * @param carried what the last row carries beside the levels, in the stored sign
 */
export function findingsOf(
  explanation: Explanation,
  { factor, sign }: { factor: 1 | -1; sign: ReportedSign },
  lastDay: DayNumber,
  carried: number,
): Finding[] {
  const { reports, habits, levels } = explanation;
  const held = habits.holdsIncluded ? reports.held[reports.count - 1]! * factor : 0;
  const findings: Finding[] = [];
  if (habits.sign === -1) findings.push({ kind: 'debt_positive' });
  if (sign === 'learned' && hasUnknownSign(reports)) findings.push({ kind: 'sign_unknown' });
  if (habits.holdsIncluded) findings.push({ kind: 'holds_included', amountMinor: held || null });

  const facts = settledCount(explanation);
  for (let index = 1; index < facts; index++) findings.push(settled(reports, levels, index, factor));
  const open = openDifference(explanation) * factor;
  if (open !== 0) {
    findings.push({ kind: 'unexplained_open', day: reports.day[levels[facts]!.from]!, amountMinor: open });
  }
  if (carried !== held) findings.push({ kind: 'timing', day: lastDay, amountMinor: carried - held });
  return findings;
}

/** How many of the levels are facts; those after them may still settle. A gap is a fact at once. */
export function settledCount({ reports, levels }: Explanation): number {
  const newest = reports.day[reports.count - 1]!;
  const open = levels.findIndex(
    ({ from }, index) => index > 0 && newest - reports.day[from]! <= SETTLING_DAYS && !isAfterGap(reports, from),
  );
  return open < 0 ? levels.length : open;
}

/** What is open of the newest balance, holder's view; 0 when nothing is. */
export function openDifference(explanation: Explanation): number {
  const { levels } = explanation;
  return levels.at(-1)!.amountMinor - levels[settledCount(explanation) - 1]!.amountMinor;
}

/** Whether so much time passed before an observation that nobody can say on which day something happened. */
export function isAfterGap({ day }: Reports, index: number): boolean {
  return index > 0 && day[index]! - day[index - 1]! > SETTLING_DAYS;
}

function settled(reports: Reports, levels: readonly Level[], index: number, factor: 1 | -1): Finding {
  const { from } = levels[index]!;
  const day = reports.day[from]!;
  const amountMinor = (levels[index]!.amountMinor - levels[index - 1]!.amountMinor) * factor;
  if (!isAfterGap(reports, from)) return { kind: 'unexplained_settled', day, amountMinor };
  return { kind: 'gap', day: reports.day[from - 1]! + 1, until: day - 1, amountMinor };
}

/** A balance that never moved has shown nothing of its sign. */
function hasUnknownSign({ reported }: Reports): boolean {
  return reported[0]! > 0 && reported.every((amount) => amount === reported[0]);
}
