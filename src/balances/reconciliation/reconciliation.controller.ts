import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.decorator.js';
import { PageQuery } from '../../http/pagination/page.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ReconciliationResponse } from './reconciliation.response.js';
import { ReconciliationService } from './reconciliation.service.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class ReconciliationController {
  constructor(private readonly reconciliations: ReconciliationService) {}

  @Get(':id/reconciliation')
  @ConditionalGet()
  @RequireScope('accounts:read')
  @ApiOperation({
    operationId: 'reconcileAccount',
    summary: 'Reconcile the balance history with the reports of the bank',
    description:
      'Unreconciled differences, since when they exist, and what is uncertain; and every reported balance beside the ' +
      'derived one.',
  })
  @ApiResponse({ status: 200, description: 'Findings and observations.', type: ReconciliationResponse })
  get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() page: PageQuery,
  ): Promise<ReconciliationResponse> {
    return this.reconciliations.of(caller, id, page);
  }
}
