import { currencyText } from '../../platform/money/currency-text.js';
import { dateOfDayNumber, longDate } from '../../platform/time/calendar-date.js';
import type { Finding } from './finding.js';
import type { DayNumber } from './ledger.js';

/** What the words of a finding depend on: the currency, and whether its balance is what is owned or what is owed. */
interface Telling {
  /** ISO 4217 code with a minor unit. */
  currency: string;
  factor: 1 | -1;
}

/** A finding as a sentence or two for people. */
export function findingText(finding: Finding, telling: Telling): string {
  switch (finding.kind) {
    case 'unexplained_open':
      return `Since ${dayText(finding.day)} ${offText(finding.amountMinor, telling, 'is')}. It may still sort itself out.`;
    case 'unexplained_settled':
      return `On ${dayText(finding.day)} ${movedText(finding.amountMinor, telling)}, which no transaction explains.`;
    case 'gap':
      return `Nothing was reported ${daysText(finding)}. After that ${offText(finding.amountMinor, telling, 'was')}.`;
    case 'unvalued':
      return `Nothing was reported ${daysText(finding)}: these days keep the last known value.`;
    case 'timing':
      return `On ${dayText(finding.day)} ${offText(finding.amountMinor, telling, 'was')}, because the balance and the transactions were taken at different times. This will sort itself out.`;
    case 'holds_included':
      return pendingIncludedText(finding.amountMinor, telling);
    case 'debt_positive':
      return 'The bank reports this debt as a positive number.';
    case 'sign_unknown':
      return `The bank does not say whether its balance is owed or a credit. Until its transactions show otherwise, it counts as ${finding.isOwed ? 'owed' : 'credit'}.`;
    case 'holdings_unknown':
      return unlistedText(finding.until);
    case 'unknown_before':
      return `The value before ${dayText(finding.day)} is unknown.`;
    case 'opening_uncertain':
      return openingText(finding, telling);
    case 'sign_reversed':
      return `Since ${dayText(finding.day)} the bank reports the ${finding.of} of this account with the opposite sign. The history corrects them.`;
    case 'transaction_twice':
      return `On ${dayText(finding.day)} two equal transactions are listed, and the balance shows one of them: ${amountText(finding.amountMinor, telling)} is counted once.`;
    case 'transaction_sign':
      return `On ${dayText(finding.day)} a transaction of ${amountText(finding.amountMinor / 2, telling)} is listed with the opposite sign: the balance moved the other way. The history corrects it.`;
    case 'transaction_withdrawn':
      return `The bank withdrew ${amountText(finding.withdrawnMinor, telling)} that it had listed on ${dayText(finding.day)}: it no longer counts.`;
    case 'statement_differs':
      return `A statement says ${signedText(finding.statedMinor, telling)} for ${dayText(finding.day)}, and what the bank and its transactions say is ${signedText(finding.derivedMinor, telling)}.`;
    case 'balance_does_not_follow':
      return `From ${dayText(finding.day)} to ${dayText(finding.until)} the reported balances do not follow from the transactions. The history shows them as reported.`;
  }
}

function offText(amountMinor: number, telling: Telling, verb: 'is' | 'was'): string {
  const way = amountMinor > 0 ? 'higher' : 'lower';
  return `${subject(telling)} ${verb} ${amountText(amountMinor, telling)} ${way} than its transactions explain`;
}

function movedText(amountMinor: number, telling: Telling): string {
  return `${subject(telling)} ${amountMinor > 0 ? 'rose' : 'fell'} by ${amountText(amountMinor, telling)}`;
}

function pendingIncludedText(amountMinor: number | null, telling: Telling): string {
  const sentence = "The bank's balance includes pending transactions, which count here once they are posted.";
  if (amountMinor === null) return sentence;
  return `${sentence} Today they make ${subject(telling)} ${amountText(amountMinor, telling)} ${amountMinor > 0 ? 'higher' : 'lower'}.`;
}

function openingText({ until, rivalMinor }: { until: DayNumber; rivalMinor: number }, telling: Telling): string {
  const rival = `${amountText(rivalMinor, telling)} ${rivalMinor > 0 ? 'higher' : 'lower'}`;
  return `Until ${dayText(until)} the balance could also be ${rival}; the reports so far fit both.`;
}

function unlistedText(until: DayNumber | null): string {
  if (until !== null)
    return `Before ${dayText(until)} the provider did not list holdings. They count as cash until then.`;
  return 'The provider does not list holdings, so market gains cannot be told from deposits and withdrawals.';
}

function subject({ factor }: Telling): string {
  return factor === 1 ? "the bank's balance" : 'the reported debt';
}

function amountText(amountMinor: number, { currency }: Telling): string {
  return currencyText(Math.abs(amountMinor), currency);
}

function signedText(amountMinor: number, { currency }: Telling): string {
  return currencyText(amountMinor, currency);
}

function daysText({ day, until }: { day: DayNumber; until: DayNumber }): string {
  return `from ${dayText(day)} to ${dayText(until)}`;
}

function dayText(day: DayNumber): string {
  return longDate(dateOfDayNumber(day));
}
