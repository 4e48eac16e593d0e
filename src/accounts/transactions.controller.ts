import { Controller, Get, Query, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ErrorResponse } from '../api/error-response.js';
import { JSON_TYPE, WantedType } from '../api/media-type.js';
import { pagination } from '../api/page.js';
import { QueryPipe } from '../api/query.pipe.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { ExportableResponse } from './exportable-response.js';
import { LIST_TRANSACTIONS_PARAMETERS, ListTransactionsQuery } from './list-transactions.query.js';
import { toTransactionResponse, TransactionCollection } from './transaction.response.js';
import { TRANSACTION_EXAMPLE, TRANSACTION_EXPORT } from './transaction-export.js';
import { TransactionsRepository } from './transactions.repository.js';
import { RecordExport } from './record-export.js';
import { Revalidated } from './revalidation.js';

@ApiTags('Transactions')
@Controller('api/v1/transactions')
export class TransactionsController {
  constructor(
    private readonly transactions: TransactionsRepository,
    private readonly exports: RecordExport,
  ) {}

  @Get()
  @Revalidated()
  @RequireScope('transactions:read')
  @ApiOperation({ operationId: 'listTransactions', summary: 'List transactions', description: 'Newest first.' })
  @ApiQuery({ type: ListTransactionsQuery })
  @ExportableResponse('Transactions listed.', TransactionCollection, TRANSACTION_EXPORT, TRANSACTION_EXAMPLE)
  @ApiResponse({ status: 422, description: 'A filter value is invalid.', type: ErrorResponse })
  async list(
    @CurrentCaller() caller: Caller,
    @Query(new QueryPipe(ListTransactionsQuery, LIST_TRANSACTIONS_PARAMETERS)) query: ListTransactionsQuery,
    @WantedType() type: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransactionCollection | StreamableFile> {
    if (type !== JSON_TYPE) {
      const statement = this.transactions.statement(caller.userId, query);
      return this.exports.stream(response, type, TRANSACTION_EXPORT, statement);
    }
    const { rows, totalCount } = await this.transactions.listPage(caller.userId, query);
    return { transactions: rows.map(toTransactionResponse), pagination: pagination(query, totalCount) };
  }
}
