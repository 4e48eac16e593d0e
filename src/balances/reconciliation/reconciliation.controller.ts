import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { ExportableResponse, RecordExportService } from '../../http/export/record-export.service.js';
import { JSON_TYPE, wantedTypeOf } from '../../http/export/media-type.guard.js';
import { PageQuery } from '../../http/pagination/page.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byPath, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { RECONCILIATION_EXAMPLE, RECONCILIATION_EXPORT, ReconciliationResponse } from './reconciliation.response.js';
import { ReconciliationService } from './reconciliation.service.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class ReconciliationController {
  constructor(
    private readonly reconciliations: ReconciliationService,
    private readonly exports: RecordExportService,
  ) {}

  @Get(':id/reconciliation')
  @ConditionalGet()
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:read')
  @ApiOperation({
    operationId: 'reconcileAccount',
    summary: 'Reconcile the balance history with the reports of the bank',
    description:
      'Unreconciled differences, since when they exist, and what is uncertain; and every reported balance beside the ' +
      'derived one. CSV and NDJSON have the reports alone, each with the certainty of its day.',
  })
  @ExportableResponse(
    'Findings and observations.',
    ReconciliationResponse,
    RECONCILIATION_EXPORT,
    RECONCILIATION_EXAMPLE,
  )
  get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() page: PageQuery,
    @Req() request: Request,
  ): Promise<ReconciliationResponse | StreamableFile> {
    if (wantedTypeOf(request) === JSON_TYPE) return this.reconciliations.readReconciliation(caller, id, page);
    return this.exports.stream(request, RECONCILIATION_EXPORT, this.reconciliations.readReports(caller, id));
  }
}
