import type { Account } from '../../accounts/account.entity.js';
import { type PageQuery, pagination } from '../../http/pagination/page.js';
import { accountRules } from '../../balance-engine/account-type.js';
import type { CertaintyRange } from '../../balance-engine/certainty.js';
import type { Finding } from '../../balance-engine/finding.js';
import { findingText } from '../../balance-engine/finding-text.js';
import type { ReconciledObservation, Reconciliation } from '../../balance-engine/reconcile.js';
import { currencyText } from '../../money/currency-text.js';
import { dateOfDayNumber } from '../../time/calendar-date.js';
import {
  CERTAINTY_LEVELS,
  type CertaintyResponse,
  type FindingResponse,
  type ObservationResponse,
  type ReconciliationResponse,
} from './reconciliation.response.js';

/** @param currency the account's ISO 4217 code */
export function toReconciliationResponse(
  account: Account,
  currency: string,
  { findings, observations, certainty }: Reconciliation,
  others: readonly FindingResponse[],
  page: PageQuery,
): ReconciliationResponse {
  const { factor } = accountRules(account.accountType);
  const told = findings.map((finding) => toFinding(finding, currency, factor));
  const open = told.find(({ kind }) => kind === 'unexplained_open');
  const newestFirst = [...observations].reverse();
  return {
    account: { id: account.id, name: account.name, account_type: account.accountType },
    currency: account.currency,
    open_difference: open
      ? { since: open.since!, amount: open.amount!, amount_cents: open.amount_cents!, text: open.text }
      : null,
    findings: [...told, ...others],
    certainty: certainty.map(toCertainty),
    observations: newestFirst
      .slice((page.page - 1) * page.per_page, page.page * page.per_page)
      .map((observation) => toObservation(observation, currency)),
    pagination: pagination(page, observations.length),
  };
}

/** A finding with a text and no figures. */
export function plainFinding(kind: FindingResponse['kind'], text: string): FindingResponse {
  return { kind, since: null, until: null, amount: null, amount_cents: null, text };
}

function toCertainty({ from, until, certainty }: CertaintyRange): CertaintyResponse {
  return {
    start_date: dateOfDayNumber(from),
    end_date: dateOfDayNumber(until),
    level: CERTAINTY_LEVELS[certainty],
  };
}

function toFinding(finding: Finding, currency: string, factor: 1 | -1): FindingResponse {
  const amount = amountOf(finding);
  return {
    kind: finding.kind,
    since: 'day' in finding ? dateOfDayNumber(finding.day) : null,
    until: 'until' in finding && finding.until !== null ? dateOfDayNumber(finding.until) : null,
    amount: amount === null ? null : currencyText(amount, currency),
    amount_cents: amount,
    text: findingText(finding, { currency, factor }),
  };
}

function amountOf(finding: Finding): number | null {
  if ('rivalMinor' in finding) return finding.rivalMinor;
  if ('withdrawnMinor' in finding) return finding.withdrawnMinor;
  return 'amountMinor' in finding ? finding.amountMinor : null;
}

/** @param currency the account's ISO 4217 code */
export function toObservation(observation: ReconciledObservation, currency: string): ObservationResponse {
  const { observedAt, day, reportedMinor, derivedMinor, differenceMinor } = observation;
  return {
    observed_at: new Date(observedAt).toISOString(),
    date: dateOfDayNumber(day),
    reported: currencyText(reportedMinor, currency),
    reported_cents: reportedMinor,
    derived: currencyText(derivedMinor, currency),
    derived_cents: derivedMinor,
    difference: currencyText(differenceMinor, currency),
    difference_cents: differenceMinor,
  };
}
