import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { reader } from '../../database/reader.js';
import { Account } from '../../accounts/account.entity.js';
import {
  foreignCurrencies,
  foreignCurrencyText,
  foreignHoldings,
  foreignHoldingsText,
} from '../../accounts/foreign-currencies.js';
import { loadLedger } from '../../accounts/load-ledger.js';
import { recordNotFound } from '../../errors/domain-error.js';
import type { PageQuery } from '../../http/pagination/page.js';
import { isUuid } from '../../http/input/validators.js';
import { reconcileInSteps } from '../../balance-engine/reconcile.js';
import { currencyCode } from '../../money/currency.js';
import { dateInTimeZone, dayNumber } from '../../time/calendar-date.js';
import { inSlices } from '../../time/work-slices.js';
import { Clock } from '../../time/clock.js';
import { lastDayOf } from '../history/last-day.js';
import type { FindingResponse, ReconciliationResponse } from './reconciliation.response.js';
import { plainFinding, toReconciliationResponse } from './to-reconciliation-response.js';

const NOTHING = { observations: [], findings: [], certainty: [] };
const UNSUPPORTED = 'The currency of this account has no minor unit to count in, so it has no balance history.';

/** Reconciles the reports of banks with the histories. */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `record_not_found` */
  async of(
    { userId, timeZone }: { userId: string; timeZone: string },
    id: string,
    page: PageQuery,
  ): Promise<ReconciliationResponse> {
    const account = isUuid(id) ? await reader(this.em).findOne(Account, { userId, id }) : null;
    if (!account) throw recordNotFound('account');
    const currency = currencyCode(account.currency);
    if (currency === null) {
      const unsupported = plainFinding('currency_unsupported', UNSUPPORTED);
      return toReconciliationResponse(account, '', NOTHING, [unsupported], page);
    }
    const until = await lastDayOf(this.em, account, dateInTimeZone(this.clock.now(), timeZone));
    const ledger = await loadLedger(this.em, account, dayNumber(until));
    const reconciliation = await inSlices(reconcileInSteps(ledger));
    return toReconciliationResponse(account, currency, reconciliation, await this.#foreign(account, currency), page);
  }

  async #foreign(account: Account, currency: string): Promise<FindingResponse[]> {
    const transactions = await foreignCurrencies(this.em, account);
    const holdings = await foreignHoldings(this.em, account);
    return [
      ...transactions.map((found) => foreignCurrencyText(found, currency)),
      ...holdings.map((held) => foreignHoldingsText(held, currency)),
    ].map((text) => plainFinding('foreign_currency', text));
  }
}
