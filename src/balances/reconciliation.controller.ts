import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Account } from '../accounts/account.entity.js';
import { foreignCurrencies, foreignCurrencyText } from '../accounts/foreign-currencies.js';
import { loadLedger } from '../accounts/load-ledger.js';
import { recordNotFound } from '../api/api-error.js';
import { ErrorResponse } from '../api/error-response.js';
import { PAGE_PARAMETERS, PageQuery } from '../api/page.js';
import { QueryPipe } from '../api/query.pipe.js';
import { isUuid } from '../api/validators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { reconcile } from '../balance-engine/reconcile.js';
import { currencyCode } from '../money/currency.js';
import { dateInTimeZone, dayNumber } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { ReconciliationResponse } from './reconciliation.response.js';
import { plainFinding, toReconciliationResponse } from './to-reconciliation-response.js';

const NOTHING = { observations: [], findings: [] };
const UNSUPPORTED = 'The currency of this account has no minor unit to count in, so it has no balance history.';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class ReconciliationController {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  @Get(':id/reconciliation')
  @RequireScope('accounts:read')
  @ApiOperation({
    operationId: 'reconcileAccount',
    summary: 'Hold what the bank reported against the balance history',
    description:
      'What of the reported balances no transaction explains, since when, and what cannot be known; and every balance ' +
      'ever reported beside what is derived of it.',
  })
  @ApiQuery({ type: PageQuery })
  @ApiResponse({ status: 200, description: 'Findings and observations.', type: ReconciliationResponse })
  @ApiResponse({ status: 404, description: 'There is no such account.', type: ErrorResponse })
  async get(
    @CurrentCaller() { userId, timeZone }: Caller,
    @Param('id') id: string,
    @Query(new QueryPipe(PageQuery, PAGE_PARAMETERS)) page: PageQuery,
  ): Promise<ReconciliationResponse> {
    const account = isUuid(id) ? await this.em.findOne(Account, { userId, id }) : null;
    if (!account) throw recordNotFound('account');
    const currency = currencyCode(account.currency);
    if (currency === null) {
      const unsupported = plainFinding('currency_unsupported', UNSUPPORTED);
      return toReconciliationResponse(account, '', NOTHING, [unsupported], page);
    }
    const today = dayNumber(dateInTimeZone(this.clock.now(), timeZone));
    const reconciliation = reconcile(await loadLedger(this.em, account, today));
    const foreign = (await foreignCurrencies(this.em, account)).map((found) =>
      plainFinding('foreign_currency', foreignCurrencyText(found, currency)),
    );
    return toReconciliationResponse(account, currency, reconciliation, foreign, page);
  }
}
