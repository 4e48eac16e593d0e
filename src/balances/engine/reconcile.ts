import { accountRules } from './account-type.js';
import { type CertaintyRange, certaintyRanges } from './certainty.js';
import { deriveInSteps } from './derive-history.js';
import type { Explanation } from './inference/explanation.js';
import type { Finding } from './finding.js';
import { isExplained, settledCount } from './findings.js';
import type { DayNumber, Ledger } from './ledger.js';
import type { MetStatement } from './meet-stated.js';
import { finish, type Steps } from './steps.js';

/** A reported balance, compared with the derived one. Amounts in minor units and the account's stored sign. */
export interface ReconciledObservation {
  /** Epoch milliseconds. */
  observedAt: number;
  day: DayNumber;
  reportedMinor: number;
  /** What entries and settled facts explain of it, a lag between balance and list allowed for. */
  derivedMinor: number;
  /** Reported minus derived; of the newest one that is the open difference. */
  differenceMinor: number;
}

export interface Reconciliation {
  /** In the order they were made, each once. */
  observations: ReconciledObservation[];
  findings: readonly Finding[];
  /** How sure each day of the history is, oldest first. */
  certainty: readonly CertaintyRange[];
  /** The stated balances of its days, oldest first. */
  statements: readonly MetStatement[];
}

/**
 * Compares every observation with the history.
 *
 * @throws RangeError as `deriveHistory`
 */
export function reconcile(ledger: Ledger): Reconciliation {
  return finish(reconcileInSteps(ledger));
}

/** The same in steps. @throws RangeError as {@link reconcile}, at the first of them */
export function* reconcileInSteps(ledger: Ledger): Steps<Reconciliation> {
  const derivation = yield* deriveInSteps(ledger);
  if (!derivation) return { observations: [], findings: [], certainty: [], statements: [] };
  const { history, observations, explanation, statements } = derivation;
  const { factor, movedBy } = accountRules(ledger.accountType);
  const differences = explanation && differencesOf(explanation, history.firstDay);
  return {
    observations: observations.map(({ observedAt, day, balanceMinor }, index) => {
      // The bank's sign only matters where debts are kept; adding 0 makes a zero of -0.
      const reportedMinor =
        explanation && movedBy === 'entries' ? explanation.reports.reported[index]! * factor + 0 : balanceMinor;
      const differenceMinor = (differences?.[index] ?? 0) * factor + 0;
      return { observedAt, day, reportedMinor, derivedMinor: reportedMinor - differenceMinor, differenceMinor };
    }),
    findings: history.findings,
    certainty: certaintyRanges(history),
    statements,
  };
}

/** By how much each balance is more or less than is explained, holder's view. */
function differencesOf(explanation: Explanation, firstDay: DayNumber): number[] {
  const { bases, baselines, offsets } = explanation;
  const facts = settledCount(explanation, firstDay);
  const openFrom = baselines[facts]?.from ?? Infinity;
  return Array.from(bases, (base, index) => {
    const unexplained = isExplained(explanation, index, base, true) ? base : offsets.plain(index);
    return unexplained - (index < openFrom ? base : baselines[facts - 1]!.amountMinor);
  });
}
