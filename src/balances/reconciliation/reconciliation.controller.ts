import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGetService, ConditionalGet } from '../../http/conditional-get/conditional-get.service.js';
import { PAGE_PARAMETERS, PageQuery } from '../../http/pagination/page.js';
import { QueryPipe } from '../../http/input/query.pipe.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ReconciliationResponse } from './reconciliation.response.js';
import { ReconciliationService } from './reconciliation.service.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class ReconciliationController {
  constructor(
    private readonly reconciliations: ReconciliationService,
    private readonly answers: ConditionalGetService,
  ) {}

  @Get(':id/reconciliation')
  @ConditionalGet()
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
  get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query(new QueryPipe(PageQuery, PAGE_PARAMETERS)) page: PageQuery,
    @Req() request: Request,
  ): Promise<ReconciliationResponse | undefined> {
    return this.answers.of(request, () => this.reconciliations.of(caller, id, page));
  }
}
