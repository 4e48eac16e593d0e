import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byFilter, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { HoldingCollection, toHoldingCollection } from './holding.response.js';
import { HoldingsRepository } from './holdings.repository.js';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { ListHoldingsQuery } from '../accounts/account-filter.query.js';

@ApiTags('Holdings')
@Controller('api/v1/holdings')
export class HoldingsController {
  constructor(private readonly holdings: HoldingsRepository) {}

  @Get()
  @ConditionalGet()
  @LimitsAccounts(byFilter)
  @RequireScope('holdings:read')
  @ApiOperation({
    operationId: 'listHoldings',
    summary: 'List holdings',
    description:
      'The newest snapshot of each account, by account, most valuable position first. `holdings_supported` of an account ' +
      'says whether it has holdings at all.',
  })
  @ApiResponse({ status: 200, description: 'Holdings listed.', type: HoldingCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: ListHoldingsQuery): Promise<HoldingCollection> {
    return toHoldingCollection(await this.holdings.listPage(userId, query), query);
  }
}
