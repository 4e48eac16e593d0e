import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ExportableResponse } from '../../http/export/exportable-response.js';
import { ConditionalGetService, ConditionalGet } from '../../http/conditional-get/conditional-get.service.js';
import { RecordExportService } from '../../http/export/record-export.service.js';
import { isUuid } from '../../http/input/validators.js';
import { recordNotFound } from '../../http/errors/api-error.js';
import { JSON_TYPE, wantedTypeOf } from '../../http/export/media-type.js';
import { pagination } from '../../http/pagination/page.js';
import { QueryPipe } from '../../http/input/query.pipe.js';
import { IgnoresUnknownParameters } from '../../http/unknown-parameters.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { BalanceCollection, BalanceResponse } from './balance.response.js';
import { BALANCE_EXAMPLE, BALANCE_EXPORT } from './balance-export.js';
import { BalancesRepository } from './balances.repository.js';
import { ACCOUNT_FILTER_PARAMETERS, AccountFilterQuery } from '../../accounts/account-filter.query.js';
import { toBalanceResponse } from './to-balance-response.js';

@ApiTags('Balances')
@Controller('api/v1/balances')
export class BalancesController {
  constructor(
    private readonly balances: BalancesRepository,
    private readonly exports: RecordExportService,
    private readonly answers: ConditionalGetService,
  ) {}

  @Get()
  @IgnoresUnknownParameters()
  @ConditionalGet()
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'listBalances',
    summary: 'List balance history records',
    description: 'One record per account per day, newest first. In every record the parts add up to the minor unit.',
  })
  @ApiQuery({ type: AccountFilterQuery })
  @ExportableResponse('Balances listed.', BalanceCollection, BALANCE_EXPORT, BALANCE_EXAMPLE)
  list(
    @CurrentCaller() caller: Caller,
    @Query(new QueryPipe(AccountFilterQuery, ACCOUNT_FILTER_PARAMETERS)) query: AccountFilterQuery,
    @Req() request: Request,
  ): Promise<BalanceCollection | StreamableFile | undefined> {
    if (wantedTypeOf(request) !== JSON_TYPE) {
      const readAll = () => this.balances.readAll(caller.userId, query);
      return this.answers.of(request, () => this.exports.stream(request, BALANCE_EXPORT, readAll()));
    }
    return this.answers.withRevision(request, async () => {
      const { rows, totalCount, revision } = await this.balances.listPage(caller.userId, query);
      return { answer: { balances: rows.map(toBalanceResponse), pagination: pagination(query, totalCount) }, revision };
    });
  }

  @Get(':id')
  @RequireScope('balances:read')
  @ApiOperation({ operationId: 'getBalance', summary: 'Get one balance history record' })
  @ApiResponse({ status: 200, description: 'The record.', type: BalanceResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<BalanceResponse> {
    const row = isUuid(id) ? await this.balances.findById(caller.userId, id) : null;
    if (!row) throw recordNotFound('balance');
    return toBalanceResponse(row);
  }
}
