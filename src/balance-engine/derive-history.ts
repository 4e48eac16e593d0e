import { type AccountRules, accountRules } from './account-type.js';
import { checkLedger } from './check-ledger.js';
import { derivePart } from './derive-part.js';
import { derivePortfolio } from './derive-portfolio.js';
import type { BalanceHistory, Finding } from './history.js';
import type { Entry, Ledger, Observation } from './ledger.js';
import { inOrder, toReports } from './reports.js';
import { cashPart, type Frame, frame, nonCashPart, runBalances } from './rows.js';

/**
 * The balance history of an account: from what was observed and booked to one row per day. The same facts give the same
 * rows, in whatever order they are given.
 *
 * @returns `null` when no balance was ever observed: then there is no history
 * @throws RangeError when an amount or a day is not a safe integer
 */
export function deriveHistory(ledger: Ledger): BalanceHistory | null {
  checkLedger(ledger);
  const observations = inOrder(ledger.observations);
  if (observations.length === 0) return null;
  const rules = accountRules(ledger.accountType);
  const days = frame(firstDay(ledger, rules, observations), ledger.until);
  const findings = fill(days, rules, ledger, observations);
  const { factor, hasCash } = rules;
  const length = days.lastDay - days.firstDay + 1;
  return { firstDay: days.firstDay, length, factor, hasCash, columns: days.columns, findings };
}

function fill(days: Frame, rules: AccountRules, ledger: Ledger, observations: readonly Observation[]): Finding[] {
  switch (rules.movedBy) {
    case 'entries': {
      const part = rules.hasCash ? cashPart(days.columns) : nonCashPart(days.columns);
      return derivePart(
        part,
        days,
        rules,
        ledger.entries,
        toReports(observations, ledger.until, reported(rules, observations)),
      );
    }
    case 'holdings':
      return derivePortfolio(days, rules, ledger, observations);
    case 'valuation':
      return deriveValuation(days, observations);
  }
}

/** Accounts that entries move have a past before the first observation; what others were worth then is not known. */
function firstDay({ until, entries }: Ledger, { movedBy }: AccountRules, [first]: readonly Observation[]): number {
  let day = Math.min(until, first!.day);
  if (movedBy === 'entries') for (const entry of entries as Entry[]) if (entry.day < day) day = entry.day;
  return day;
}

function reported({ sign }: AccountRules, observations: readonly Observation[]): Float64Array {
  return Float64Array.from(observations, ({ balanceMinor }) =>
    sign === 'absolute' ? -Math.abs(balanceMinor) : balanceMinor,
  );
}

/** Worth what was last said of it. */
function deriveValuation({ firstDay, lastDay, columns }: Frame, observations: readonly Observation[]): Finding[] {
  const part = nonCashPart(columns);
  const opening = observations[0]!.balanceMinor;
  let value = opening;
  for (const { day, balanceMinor } of observations) {
    part.adjustments[Math.min(day, lastDay) - firstDay]! += balanceMinor - value;
    value = balanceMinor;
  }
  runBalances(part, 1, opening);
  return [];
}
