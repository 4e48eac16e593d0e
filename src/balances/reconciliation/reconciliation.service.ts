import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { atOneMoment } from '../../database/one-moment.js';
import { Account, findAccount } from '../accounts/account.entity.js';
import {
  foreignCurrencies,
  foreignCurrencyText,
  foreignHoldings,
  foreignHoldingsText,
} from '../accounts/foreign-currencies.js';
import { loadLedger } from '../accounts/load-ledger.js';
import type { Caller } from '../../http/caller.js';
import type { PageQuery } from '../../http/pagination/page.js';
import type { DayNumber } from '../engine/ledger.js';
import type { MetStatement } from '../engine/meet-stated.js';
import { reconcileInSteps, type Reconciliation } from '../engine/reconcile.js';
import { currencyCode } from '../../platform/money/currency.js';
import { dateInTimeZone, dayNumber } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { lastDayOf, runDerivation } from '../history/derive-account-history.js';
import {
  type FindingResponse,
  plainFinding,
  type ReconciliationResponse,
  type ReportRow,
  toReconciliationResponse,
  toReportRows,
} from './reconciliation.response.js';

/** Whose account it is, and where. */
type Person = Pick<Caller, 'userId' | 'timeZone'>;

const NOTHING: Reconciliation = { observations: [], findings: [], certainty: [], statements: [] };
const UNSUPPORTED = 'Tidemark does not support the currency of this account, so there is no balance history.';
const NO_CURRENCY = 'The provider reports no currency of this account, so there is no balance history.';

/** What concerns the days of a closed account: nothing after its last day counts. */
function endingOn(
  { observations, findings, certainty, statements }: Reconciliation,
  lastDay: DayNumber,
): Reconciliation {
  return {
    observations: observations.filter(({ day }) => day <= lastDay),
    findings: findings.filter((finding) => !('day' in finding) || finding.day <= lastDay),
    certainty: certainty
      .filter(({ from }) => from <= lastDay)
      .map((range) => ({ ...range, until: Math.min(range.until, lastDay) })),
    statements: statements.filter(({ statement: { day } }) => day <= lastDay),
  };
}

/** The same of the days of a history that began when the account's currency changed. */
function beginningWith(reconciliation: Reconciliation): Reconciliation {
  const firstDay = reconciliation.observations.reduce((first, { day }) => Math.min(first, day), Infinity);
  const certainty = reconciliation.certainty
    .filter(({ until }) => until >= firstDay)
    .map((range) => ({ ...range, from: Math.max(range.from, firstDay) }));
  return { ...reconciliation, certainty };
}

/** Reconciles the reports of banks with the histories. */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `record_not_found`; UncountableAmountsError */
  async readReconciliation(caller: Person, id: string, page: PageQuery): Promise<ReconciliationResponse> {
    const { account, currency, reconciliation, others } = await this.#reconcile(caller, id);
    return toReconciliationResponse(account, currency ?? '', reconciliation, others, page);
  }

  /** All that was reported, newest first. @throws DomainError `record_not_found`; UncountableAmountsError */
  async *readReports(caller: Person, id: string): AsyncGenerator<ReportRow[], void> {
    const { currency, reconciliation } = await this.#reconcile(caller, id);
    yield toReportRows(reconciliation, currency ?? '');
  }

  /** What became of each stated balance of the days of the history, by its id. @throws as {@link readReconciliation} */
  async readStatements(caller: Person, id: string): Promise<Map<string, MetStatement>> {
    const { reconciliation } = await this.#reconcile(caller, id);
    return new Map(reconciliation.statements.map((met) => [met.statement.key!, met]));
  }

  async #reconcile(caller: Person, id: string) {
    const facts = await atOneMoment(this.em, (em) => this.#readFacts(em, caller, id));
    const { account, ledger } = facts;
    if (!ledger) return { ...facts, reconciliation: NOTHING };
    const whole = await runDerivation(account, reconcileInSteps(ledger));
    const reconciliation = ledger.isReDenominated ? beginningWith(whole) : whole;
    const { closedOn } = account;
    return {
      ...facts,
      reconciliation: closedOn === null ? reconciliation : endingOn(reconciliation, dayNumber(closedOn)),
    };
  }

  async #readFacts(em: EntityManager, { userId, timeZone }: Person, id: string) {
    const account = await findAccount(em, userId, id);
    const currency = currencyCode(account.currency);
    if (currency === null) {
      const why = account.currency === null ? NO_CURRENCY : UNSUPPORTED;
      return { account, currency, ledger: null, others: [plainFinding('currency_unsupported', why)] };
    }
    const until = await lastDayOf(em, account, dateInTimeZone(this.clock.now(), timeZone));
    const ledger = await loadLedger(em, account, dayNumber(until));
    return { account, currency, ledger, others: await foreignIn(em, account, currency) };
  }
}

async function foreignIn(em: EntityManager, account: Account, currency: string): Promise<FindingResponse[]> {
  const transactions = await foreignCurrencies(em, account);
  const holdings = await foreignHoldings(em, account);
  return [
    ...transactions.map((found) => foreignCurrencyText(found, currency)),
    ...holdings.map((held) => foreignHoldingsText(held, currency)),
  ].map((text) => plainFinding('foreign_currency', text));
}
