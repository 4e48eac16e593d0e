import { type AccountRules, accountRules } from './account-type.js';
import { checkLedger } from './check-ledger.js';
import { derivePart } from './derive-part.js';
import { derivePortfolio } from './derive-portfolio.js';
import { deriveReported } from './derive-reported.js';
import type { Explanation } from './inference/explanation.js';
import { infer } from './inference/infer.js';
import { type Filled, findingsOf } from './findings.js';
import type { BalanceHistory } from './history.js';
import { isTakenBack } from './inference/movements.js';
import { deriveListed, extendBack, findingsOfStated, meetStated, type MetStatement } from './meet-stated.js';
import type { Ledger, Observation } from './ledger.js';
import { markCertainty, markUnlisted, markUnreported, valuedDays } from './mark-certainty.js';
import { entriesInOrder, inOrder, type Reports, toReports } from './reports.js';
import { finish, type Steps } from './steps.js';
import { cashPart, type Frame, frame, nonCashPart } from './rows.js';

/**
 * The balance history of an account: from what was observed and booked to one row per day. The same facts give the same
 * rows, in whatever order they are given.
 *
 * @returns `null` when no balance was ever observed or stated: then there is no history
 * @throws RangeError when an amount or a day is not a safe integer, or amounts add up to more than can be counted
 */
export function deriveHistory(ledger: Ledger): BalanceHistory | null {
  return derive(ledger)?.history ?? null;
}

/** A history and what it was derived from. */
export interface Derivation {
  history: BalanceHistory;
  /** In the order they were made, each once. */
  observations: readonly Observation[];
  /** `null` where nothing but the reports counts. */
  explanation: Explanation | null;
  /** The stated balances of its days, oldest first. */
  statements: readonly MetStatement[];
}

/** @throws RangeError as {@link deriveHistory} */
export function derive(ledger: Ledger): Derivation | null {
  return finish(deriveInSteps(ledger));
}

/** The same in steps. @throws RangeError as {@link deriveHistory}, at the first of them */
export function* deriveInSteps(given: Ledger): Steps<Derivation | null> {
  checkLedger(given);
  const ledger = { ...given, entries: entriesInOrder(given.entries) };
  const observations = inOrder(ledger.observations);
  const { entries, until, listedDays = [] } = ledger;
  const stated = ledger.stated?.filter(({ day }) => day <= until) ?? [];
  const firstStated = stated.reduce((first, { day }) => Math.min(first, day), until);
  if (observations.length === 0 && stated.length === 0) return null;
  const rules = accountRules(ledger.accountType);
  const reports = toReports(observations, until);
  const first = firstDay(ledger, rules, reports, firstStated);
  let days = frame(first, until, rules);
  const { findings, explanation } =
    observations.length > 0
      ? yield* fill(days, rules, ledger, reports, observations)
      : deriveListed(days, rules, entries);
  let statements: MetStatement[] = [];
  if (stated.length > 0 || listedDays.length > 0) {
    if (firstStated < first) days = extendBack(days, rules, firstStated);
    for (const finding of findings) if (finding.kind === 'unknown_before') finding.day = days.firstDay;
    const { met, findings: more } = meetStated(days, rules, { reportDays: reports.day, entries, stated, listedDays });
    statements = met;
    findings.push(...findingsOfStated(met, rules), ...more);
  }
  const { factor, hasCash } = rules;
  const length = days.lastDay - days.firstDay + 1;
  const history = {
    firstDay: days.firstDay,
    length,
    factor,
    hasCash,
    columns: days.columns,
    findings,
    certainty: days.certainty,
    doubt: days.doubt,
  };
  return { history, observations, explanation, statements };
}

function* fill(
  days: Frame,
  rules: AccountRules,
  { entries, completeOn }: Ledger,
  reports: Reports,
  observations: readonly Observation[],
): Steps<Filled> {
  if (rules.movedBy === 'holdings') return yield* derivePortfolio(days, rules, entries, reports, observations);
  const part = rules.hasCash ? cashPart(days.columns) : nonCashPart(days.columns);
  if (rules.movedBy === 'valuation') {
    deriveReported(part, days, [], reports);
    markUnreported(days, valuedDays(reports));
    return { findings: [{ kind: 'unknown_before', day: days.firstDay }], explanation: null };
  }
  const explanation = yield* infer(entries, reports, rules);
  const carried = derivePart(part, days, rules.factor, explanation);
  markCertainty(days, explanation, rules.factor);
  markUnlisted(days, explanation, completeOn);
  return { findings: findingsOf(explanation, rules, days, carried), explanation };
}

/**
 * Accounts that entries move have a past before the first observation, as far back as the list reaches but for what the
 * bank dated by mistake; what others were worth then is not known.
 *
 * @param ledger its entries in order
 */
function firstDay({ entries }: Ledger, { movedBy }: AccountRules, reports: Reports, firstStated: number): number {
  const firstReport = reports.day[0] ?? firstStated;
  if (movedBy !== 'entries') return firstReport;
  const first = entries.find((entry) => !isTakenBack(entry, reports));
  return Math.min(firstReport, firstStated, first?.day ?? Infinity);
}
