import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ExportableResponse } from '../accounts/exportable-response.js';
import { ListAnswers, Revalidated } from '../accounts/list-answers.js';
import { RecordExport } from '../accounts/record-export.js';
import { isUuid } from '../api/validators.js';
import { recordNotFound } from '../api/api-error.js';
import { ErrorResponse } from '../api/error-response.js';
import { JSON_TYPE, wantedTypeOf } from '../api/media-type.js';
import { pagination } from '../api/page.js';
import { QueryPipe } from '../api/query.pipe.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { BalanceCollection, BalanceResponse } from './balance.response.js';
import { BALANCE_EXAMPLE, BALANCE_EXPORT } from './balance-export.js';
import { BalancesRepository } from './balances.repository.js';
import { ACCOUNT_FILTER_PARAMETERS, AccountFilterQuery } from '../api/account-filter.query.js';
import { toBalanceResponse } from './to-balance-response.js';

@ApiTags('Balances')
@Controller('api/v1/balances')
export class BalancesController {
  constructor(
    private readonly balances: BalancesRepository,
    private readonly exports: RecordExport,
    private readonly answers: ListAnswers,
  ) {}

  @Get()
  @Revalidated()
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'listBalances',
    summary: 'List balance history records',
    description: 'One record per account per day, newest first. In every record the parts add up to the minor unit.',
  })
  @ApiQuery({ type: AccountFilterQuery })
  @ExportableResponse('Balances listed.', BalanceCollection, BALANCE_EXPORT, BALANCE_EXAMPLE)
  @ApiResponse({ status: 422, description: 'A filter value is invalid.', type: ErrorResponse })
  list(
    @CurrentCaller() caller: Caller,
    @Query(new QueryPipe(AccountFilterQuery, ACCOUNT_FILTER_PARAMETERS)) query: AccountFilterQuery,
    @Req() request: Request,
  ): Promise<BalanceCollection | StreamableFile | undefined> {
    if (wantedTypeOf(request) !== JSON_TYPE) {
      const statement = this.balances.statement(caller.userId, query);
      return this.answers.of(request, () => this.exports.stream(request, BALANCE_EXPORT, statement));
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
  @ApiResponse({ status: 404, description: 'There is no such record.', type: ErrorResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<BalanceResponse> {
    const row = isUuid(id) ? await this.balances.findById(caller.userId, id) : null;
    if (!row) throw recordNotFound('balance');
    return toBalanceResponse(row);
  }
}
