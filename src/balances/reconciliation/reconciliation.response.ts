import { Amount, Day, Group, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import type { QueryResultRow } from 'pg';
import { csvLine } from '../../http/export/csv.js';
import type { Exportable } from '../../http/export/record-export.service.js';
import { offsetOf, type PageQuery, Pagination, pagination } from '../../http/pagination/page.js';
import type { Finding, FindingKind } from '../engine/finding.js';
import { BalanceAccount } from '../record/balance.response.js';
import type { Account } from '../accounts/account.entity.js';
import { accountRules } from '../engine/account-type.js';
import type { CertaintyRange } from '../engine/certainty.js';
import { findingText } from '../engine/finding-text.js';
import type { ReconciledObservation, Reconciliation } from '../engine/reconcile.js';
import { dateOfDayNumber } from '../../platform/time/calendar-date.js';

/** In the order of the engine's numbers. */
const CERTAINTY_LEVELS = ['known', 'estimated', 'unknown'] as const;
type CertaintyLevel = (typeof CERTAINTY_LEVELS)[number];

/** The engine's findings, and money in currencies that the history excludes. */
const FINDING_KINDS = [
  'unexplained_open',
  'unexplained_settled',
  'gap',
  'unvalued',
  'timing',
  'holds_included',
  'debt_positive',
  'sign_unknown',
  'transaction_sign',
  'holdings_unknown',
  'unknown_before',
  'opening_uncertain',
  'sign_reversed',
  'transaction_twice',
  'transaction_withdrawn',
  'balance_does_not_follow',
  'statement_differs',
  'foreign_currency',
  'currency_unsupported',
] as const satisfies readonly (FindingKind | 'foreign_currency' | 'currency_unsupported')[];

export class FindingResponse {
  @OneOf(FINDING_KINDS, { example: 'unexplained_settled', description: 'For programs.' })
  kind: (typeof FINDING_KINDS)[number];

  @Day({ nullable: true, example: '2026-03-03', description: 'The day it concerns or begins.' })
  since: string | null;

  @Day({ nullable: true, example: null, description: 'The last day of a gap.' })
  until: string | null;

  @Amount({
    nullable: true,
    example: -1240,

    description: 'How much the reported balance exceeds the explained one; for a liability, the amount owed.',
  })
  amount: string | null;
  amount_cents: number | null;

  @Text({
    example: "On 3 March 2026 the bank's balance fell by $12.40, which no transaction explains.",
    description: 'For people.',
  })
  text: string;
}

class OpenDifference {
  @Day({ example: '2026-03-12', description: 'The day it appeared.' })
  since: string;

  @Amount({ example: -2000, description: 'Reported minus derived.' })
  amount: string;
  amount_cents: number;

  @Text({
    example:
      "Since 12 March 2026 the bank's balance is $20.00 lower than its transactions explain. It may still sort itself out.",
  })
  text: string;
}

/** A report, compared with the history. */
class ObservationResponse {
  @Moment({ example: '2026-03-12T06:17:04.211Z' })
  observed_at: string;

  @Day({ example: '2026-03-12', description: 'The day of that moment in the person’s time zone.' })
  date: string;

  @Amount({ example: 93000, description: 'The reported balance; for a liability, the amount owed.' })
  reported: string;
  reported_cents: number;

  @Amount({
    example: 95000,

    description: 'What transactions and settled facts explain of it; a list that lags behind is allowed for.',
  })
  derived: string;
  derived_cents: number;

  @Amount({ example: -2000, description: '`reported` minus `derived`.' })
  difference: string;
  difference_cents: number;
}

class CertaintyResponse {
  @Day({ example: '2026-03-01' })
  start_date: string;

  @Day({ example: '2026-03-04', description: 'The last day of the range.' })
  end_date: string;

  @OneOf(CERTAINTY_LEVELS, {
    example: 'estimated',
    description:
      '`estimated`: another explanation of the facts is almost as likely and gives these days another balance. ' +
      '`unknown`: no fact bears on them.',
  })
  level: CertaintyLevel;

  @Amount({
    nullable: true,
    from: 'doubtMinor',
    example: -2500,
    description:
      'By how much these balances are more or less by the other explanation; for a liability, the amount owed. ' +
      '`null`: unknown. Zero where the days are known.',
  })
  doubt: string | null;
  doubt_cents: number | null;
}

export class ReconciliationResponse {
  @Group(BalanceAccount)
  account: BalanceAccount;

  @Text({ nullable: true, example: 'USD', description: 'As of the account.' })
  currency: string | null;

  @Group(OpenDifference, { nullable: true, description: '`null`: bank and transactions agree.' })
  open_difference: OpenDifference | null;

  @List(FindingResponse, { description: 'All of them, oldest first; an open difference is among them.' })
  findings: FindingResponse[];

  @List(CertaintyResponse, { description: 'How sure each day of the history is, and by how much, oldest first.' })
  certainty: CertaintyResponse[];

  @List(ObservationResponse, { description: 'A page of what was reported, newest first.' })
  observations: ObservationResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

const certaintyOf = responseOf(CertaintyResponse);
const findingOf = responseOf(FindingResponse);
const observationOf = responseOf(ObservationResponse);

/** @param currency the account's ISO 4217 code */
export function toReconciliationResponse(
  account: Account,
  currency: string,
  { findings, observations, certainty }: Reconciliation,
  others: readonly FindingResponse[],
  page: PageQuery,
): ReconciliationResponse {
  const { factor } = accountRules(account.accountType);
  const found = findings.map((finding) => toFinding(finding, currency, factor));
  const open = found.find(({ kind }) => kind === 'unexplained_open');
  const newestFirst = [...observations].reverse();
  return {
    account: { id: account.id, name: account.name, account_type: account.accountType },
    currency: account.currency,
    open_difference: open
      ? { since: open.since!, amount: open.amount!, amount_cents: open.amount_cents!, text: open.text }
      : null,
    findings: [...found, ...others],
    certainty: certainty.map((range) => toCertainty(range, currency)),
    observations: newestFirst
      .slice(offsetOf(page), offsetOf(page) + page.per_page)
      .map((observation) => toObservation(observation, currency)),
    pagination: pagination(page, observations.length),
  };
}

/** A finding with a text and no figures. */
export function plainFinding(kind: FindingResponse['kind'], text: string): FindingResponse {
  return { kind, since: null, until: null, amount: null, amount_cents: null, text };
}

function toCertainty({ from, until, certainty, doubtMinor }: CertaintyRange, currency: string): CertaintyResponse {
  return certaintyOf({
    currency,
    start_date: dateOfDayNumber(from),
    end_date: dateOfDayNumber(until),
    level: CERTAINTY_LEVELS[certainty],
    doubtMinor,
  });
}

function toFinding(finding: Finding, currency: string, factor: 1 | -1): FindingResponse {
  return findingOf({
    currency,
    kind: finding.kind,
    since: 'day' in finding ? dateOfDayNumber(finding.day) : null,
    until: 'until' in finding && finding.until !== null ? dateOfDayNumber(finding.until) : null,
    amount_minor: amountOf(finding),
    text: findingText(finding, { currency, factor }),
  });
}

function amountOf(finding: Finding): number | null {
  if ('rivalMinor' in finding) return finding.rivalMinor;
  if ('withdrawnMinor' in finding) return finding.withdrawnMinor;
  return 'amountMinor' in finding ? finding.amountMinor : null;
}

/** @param currency the account's ISO 4217 code */
function toObservation(observation: ReconciledObservation, currency: string): ObservationResponse {
  const { observedAt, day, reportedMinor, derivedMinor, differenceMinor } = observation;
  return observationOf({
    currency,
    observed_at: observedAt / 1000,
    date: dateOfDayNumber(day),
    reported_minor: reportedMinor,
    derived_minor: derivedMinor,
    difference_minor: differenceMinor,
  });
}

/** What was reported at one moment, and how sure the history is of its day. */
export type ReportRow = ObservationResponse & { certainty: CertaintyLevel } & QueryResultRow;

export const RECONCILIATION_EXAMPLE: ReportRow = {
  observed_at: '2026-03-12T06:17:04.211Z',
  date: '2026-03-12',
  reported: '$930.00',
  reported_cents: 93_000,
  derived: '$950.00',
  derived_cents: 95_000,
  difference: '-$20.00',
  difference_cents: -2_000,
  certainty: 'estimated',
};

const COLUMNS = Object.keys(RECONCILIATION_EXAMPLE);

export const RECONCILIATION_EXPORT: Exportable<ReportRow> = {
  name: 'reconciliation',
  toItem: (row) => row,
  columns: COLUMNS,
  toLine: (row) => csvLine(COLUMNS.map((column) => row[column] as string | number)),
};

/** Newest first, as the list. @param currency the account's ISO 4217 code */
export function toReportRows({ observations, certainty }: Reconciliation, currency: string): ReportRow[] {
  let range = certainty.length - 1;
  return [...observations].reverse().map((observation) => {
    while (range > 0 && certainty[range]!.from > observation.day) range--;
    return { ...toObservation(observation, currency), certainty: CERTAINTY_LEVELS[certainty[range]!.certainty] };
  });
}
