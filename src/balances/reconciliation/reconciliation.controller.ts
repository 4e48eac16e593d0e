import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ListAnswers, Revalidated } from '../../http/conditional-get/list-answers.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { PAGE_PARAMETERS, PageQuery } from '../../http/pagination/page.js';
import { QueryPipe } from '../../http/input/query.pipe.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ReconciliationResponse } from './reconciliation.response.js';
import { Reconciliations } from './reconciliations.service.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class ReconciliationController {
  constructor(
    private readonly reconciliations: Reconciliations,
    private readonly answers: ListAnswers,
  ) {}

  @Get(':id/reconciliation')
  @Revalidated()
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
  get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query(new QueryPipe(PageQuery, PAGE_PARAMETERS)) page: PageQuery,
    @Req() request: Request,
  ): Promise<ReconciliationResponse | undefined> {
    return this.answers.of(request, () => this.reconciliations.of(caller, id, page));
  }
}
