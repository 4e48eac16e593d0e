import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { recordNotFound } from '../../http/errors/api-error.js';
import { JSON_TYPE, wantedTypeOf } from '../../http/export/media-type.js';
import { pagination } from '../../http/pagination/page.js';
import { QueryPipe } from '../../http/input/query.pipe.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ExportableResponse } from '../../http/export/exportable-response.js';
import { ConditionalGetService, ConditionalGet } from '../../http/conditional-get/conditional-get.service.js';
import { LIST_TRANSACTIONS_PARAMETERS, ListTransactionsQuery } from './list-transactions.query.js';
import { toTransactionResponse, TransactionCollection } from './transaction.response.js';
import { TransactionRecordResponse } from './transaction-record.response.js';
import { TRANSACTION_EXAMPLE, TRANSACTION_EXPORT } from './transaction-export.js';
import { TransactionsRepository } from './transactions.repository.js';
import { RecordExportService } from '../../http/export/record-export.service.js';

@ApiTags('Transactions')
@Controller('api/v1/transactions')
export class TransactionsController {
  constructor(
    private readonly transactions: TransactionsRepository,
    private readonly exports: RecordExportService,
    private readonly answers: ConditionalGetService,
  ) {}

  @Get()
  @ConditionalGet()
  @RequireScope('transactions:read')
  @ApiOperation({ operationId: 'listTransactions', summary: 'List transactions', description: 'Newest first.' })
  @ApiQuery({ type: ListTransactionsQuery })
  @ExportableResponse('Transactions listed.', TransactionCollection, TRANSACTION_EXPORT, TRANSACTION_EXAMPLE)
  list(
    @CurrentCaller() caller: Caller,
    @Query(new QueryPipe(ListTransactionsQuery, LIST_TRANSACTIONS_PARAMETERS)) query: ListTransactionsQuery,
    @Req() request: Request,
  ): Promise<TransactionCollection | StreamableFile | undefined> {
    if (wantedTypeOf(request) !== JSON_TYPE) {
      const readAll = () => this.transactions.readAll(caller.userId, query);
      return this.answers.of(request, () => this.exports.stream(request, TRANSACTION_EXPORT, readAll()));
    }
    return this.answers.of(request, async () => {
      const { rows, totalCount } = await this.transactions.listPage(caller.userId, query);
      return { transactions: rows.map(toTransactionResponse), pagination: pagination(query, totalCount) };
    });
  }

  @Get(':id')
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'getTransaction',
    summary: 'Get one transaction with its history',
    description: 'Every version that the bank has listed, and what became of a transaction that it no longer lists.',
  })
  @ApiResponse({ status: 200, description: 'The transaction.', type: TransactionRecordResponse })
  async get(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<TransactionRecordResponse> {
    const record = isUuid(id) ? await this.transactions.findRecord(userId, id) : null;
    if (!record) throw recordNotFound('transaction');
    return record;
  }
}
