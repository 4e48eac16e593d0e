import { DAY_MS } from '../../platform/time/calendar-date.js';
import { KNOWN_BITS } from './inference/costs.js';
import type { Baseline, Explanation } from './inference/explanation.js';
import { withdrawnSince } from './inference/movements.js';
import { FEW_REPORTS } from './inference/rounding.js';
import type { Finding } from './finding.js';
import { type DayNumber, type Entry, MONTH_DAYS, SETTLING_DAYS } from './ledger.js';
import type { Reports } from './reports.js';
import type { Frame } from './rows.js';

/** What deriving the columns of a history returns beside them. */
export interface Filled {
  findings: Finding[];
  /** `null` where nothing but the reports counts. */
  explanation: Explanation | null;
}

/**
 * What a person should know about the part of an account that entries move, oldest first. Every adjustment has a finding,
 * but for what rounding leaves of the newest balance.
 *
 * @param carried what the row of the newest report carries beside the baselines, in the stored sign
 */
export function findingsOf(
  explanation: Explanation,
  { factor }: { factor: 1 | -1 },
  { firstDay, lastDay }: Pick<Frame, 'firstDay' | 'lastDay'>,
  carried: number,
): Finding[] {
  const { reports, traits, baselines, reversal, unit } = explanation;
  const newestDay = reports.day[reports.count - 1]!;
  const pendingMinor = traits.pendingIncluded ? reports.pendingTotal[reports.count - 1]! * factor : 0;
  const findings: Finding[] = [];
  if (traits.isDebtPositive) findings.push({ kind: 'debt_positive' });
  if (explanation.signBits < KNOWN_BITS) {
    findings.push({ kind: 'sign_unknown', isOwed: reports.reported[reports.count - 1]! < 0 });
  }
  if (traits.pendingIncluded) {
    // Of a past report, what it carried is no longer part of a balance.
    findings.push({ kind: 'holds_included', amountMinor: (newestDay === lastDay && pendingMinor) || null });
  }

  const reversed = reversal?.spans.at(-1);
  if (reversal && reversed?.until === reports.count) {
    findings.push({ kind: 'sign_reversed', of: reversal.of, day: reports.day[reversed.from]! });
  }

  for (const finding of withdrawals(explanation, factor)) findings.push(finding);
  const uncertain = openingUncertainty(explanation, factor);
  if (uncertain) findings.push(uncertain);
  const facts = settledCount(explanation, firstDay);
  const timesUndone = Map.groupBy(baselines, ({ movement }) => movement);
  for (let index = 1; index < facts; index++) {
    const { day, movement } = baselines[index]!;
    // What came late to the balance is as it is listed.
    const cameLate = movement && timesUndone.get(movement)!.length > 1;
    // What was listed for a while before the first day is part of the opening balance.
    if (day >= firstDay && !cameLate) addSettled(findings, explanation, index, factor);
  }
  const open = openDifference(explanation, firstDay) * factor;
  if (open !== 0) {
    findings.push({ kind: 'unexplained_open', day: reports.day[baselines[facts]!.from]!, amountMinor: open });
  }
  const amountMinor = carried - pendingMinor;
  if (Math.abs(amountMinor) > unit) findings.push({ kind: 'timing', day: newestDay, amountMinor });
  return findings;
}

/** What was withdrawn in the last month and the balance followed. */
function withdrawals({ entries, reports, baselines }: Explanation, factor: 1 | -1): Finding[] {
  const since = reports.at[reports.count - 1]! - MONTH_DAYS * DAY_MS;
  const isKept = (entry: Entry) =>
    baselines.some(
      ({ day, unshown, changedMinor }) =>
        unshown === 'correction' && day === entry.day && changedMinor === entry.amountMinor,
    );
  const withdrawn = withdrawnSince(entries, since).filter((entry) => entry.amountMinor !== 0 && !isKept(entry));
  return withdrawn.map(({ day, amountMinor }) => ({
    kind: 'transaction_withdrawn',
    day,
    withdrawnMinor: amountMinor * factor,
  }));
}

/**
 * How many baselines are facts. Later ones are at most ten days old and may still go away; gaps, and what the opening
 * balance of the first day has, are facts at once.
 */
export function settledCount({ reports, baselines, isUnexplained }: Explanation, firstDay: DayNumber): number {
  const newest = reports.day[reports.count - 1]!;
  const isNew = (from: number) => newest - reports.day[from]! <= SETTLING_DAYS && !isAfterGap(reports, from);
  const open = baselines.findIndex(
    ({ from, day, unshown }, index) =>
      index > 0 && day >= firstDay && unshown !== 'late' && isNew(from) && !isUnexplained(from),
  );
  return open < 0 ? baselines.length : open;
}

/** What is open of the newest balance, holder's view; 0 when nothing is. */
export function openDifference(explanation: Explanation, firstDay: DayNumber): number {
  const changes = explanation.baselines.slice(settledCount(explanation, firstDay));
  const isOpen = ({ day, unshown }: Baseline) => day >= firstDay && unshown !== 'late';
  return changes.filter(isOpen).reduce((open, { changedMinor }) => open + changedMinor, 0);
}

/** Whether so much time passed before an observation that nobody can say on which day something happened. */
export function isAfterGap({ day }: Reports, index: number): boolean {
  return index > 0 && day[index]! - day[index - 1]! > SETTLING_DAYS;
}

/** Whether an offset of a report is the baseline offset, as far as the balance tells. */
export function isMet({ unit }: Explanation, offset: number, base: number): boolean {
  return Math.abs(offset - base) <= unit;
}

/** Whether a baseline offset explains a report; by default the one in force, and without an exception. */
export function isExplained(
  explanation: Explanation,
  index: number,
  base = explanation.bases[index]!,
  tryExceptions = false,
): boolean {
  const { offsets } = explanation;
  return offsets.cost(index, base, tryExceptions) >= 0 || isMet(explanation, offsets.plain(index), base);
}

/** The last report before one that the baseline offset before it explains. */
export function lastExplained(explanation: Explanation, until: number): number {
  let index = Math.max(0, until - 1);
  const base = explanation.bases[index]!;
  while (index > 0 && !isExplained(explanation, index, base)) index--;
  return index;
}

/** The report after the gap in which the offset of report `from` may have changed; 0 if there is no such gap. */
export function gapBefore(explanation: Explanation, from: number): number {
  const before = lastExplained(explanation, from);
  let index = from;
  while (index > before && !isAfterGap(explanation.reports, index)) index--;
  return index > before ? index : 0;
}

/**
 * The rival of the first observations where it is near, and the last day on which it is one. Of few reports every opening
 * balance is uncertain, and no finding says so.
 */
function openingUncertainty({ reports, rivals }: Explanation, factor: 1 | -1): Finding | null {
  const rival = rivals[0];
  if (!rival || rival.bits >= KNOWN_BITS / 2 || reports.count < FEW_REPORTS) return null;
  const known = rivals.findIndex((other) => !other || other.bits >= KNOWN_BITS);
  const until = known < 0 ? reports.day[reports.count - 1]! : Math.max(reports.day[0]!, reports.day[known]! - 1);
  const rivalMinor = rival.differenceMinor * factor;
  return rivalMinor === 0 ? null : { kind: 'opening_uncertain', until, rivalMinor };
}

function addSettled(findings: Finding[], explanation: Explanation, index: number, factor: 1 | -1): void {
  const { reports, baselines, isUnexplained } = explanation;
  const { from, day, unshown, changedMinor } = baselines[index]!;
  const gap = gapBefore(explanation, from);
  const amountMinor = changedMinor * factor;
  const last = findings.at(-1);
  if (isUnexplained(from)) {
    const until = reports.day[from]!;
    // One finding for all of a run; the balances between two of its changes are unexplained, too.
    if (last?.kind === 'balance_does_not_follow' && isUnexplained(from - 1)) {
      last.until = until;
      last.amountMinor += amountMinor;
    } else findings.push({ kind: 'balance_does_not_follow', day: until, until, amountMinor });
  } else if (unshown === 'duplicate') findings.push({ kind: 'transaction_twice', day, amountMinor });
  else if (unshown === 'sign') findings.push({ kind: 'transaction_sign', day, amountMinor });
  else if (gap > 0) {
    findings.push({ kind: 'gap', day: reports.day[gap - 1]! + 1, until: reports.day[gap]! - 1, amountMinor });
  } else findings.push({ kind: 'unexplained_settled', day, amountMinor });
}
