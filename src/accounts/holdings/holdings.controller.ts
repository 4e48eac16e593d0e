import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { pagination } from '../../http/pagination/page.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { HoldingCollection, toHoldingResponse, toHoldingTotal } from './holding.response.js';
import { HoldingsRepository } from './holdings.repository.js';
import { ConditionalGetService, ConditionalGet } from '../../http/conditional-get/conditional-get.service.js';
import { ListHoldingsQuery } from './list-holdings.query.js';

@ApiTags('Holdings')
@Controller('api/v1/holdings')
export class HoldingsController {
  constructor(
    private readonly holdings: HoldingsRepository,
    private readonly answers: ConditionalGetService,
  ) {}

  @Get()
  @ConditionalGet()
  @RequireScope('holdings:read')
  @ApiOperation({
    operationId: 'listHoldings',
    summary: 'List holdings',
    description:
      'The newest snapshot of each account, by account, most valuable position first. Whether an account has holdings ' +
      'at all is told by `holdings_supported` of the account.',
  })
  @ApiResponse({ status: 200, description: 'Holdings listed.', type: HoldingCollection })
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListHoldingsQuery,
    @Req() request: Request,
  ): Promise<HoldingCollection | undefined> {
    return this.answers.of(request, async () => {
      const { rows, totals, totalCount } = await this.holdings.listPage(caller.userId, query);
      return {
        holdings: rows.map(toHoldingResponse),
        totals: totals.map(toHoldingTotal),
        pagination: pagination(query, totalCount),
      };
    });
  }
}
