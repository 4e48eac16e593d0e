import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { recordNotFound } from '../../platform/domain-error.js';
import { JSON_TYPE, wantedTypeOf } from '../../http/export/media-type.guard.js';
import { cursorPage, parseCursor, refuseCursor } from '../../http/pagination/cursor.js';
import { pagination } from '../../http/pagination/page.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byFilter, byHandler, LimitsAccounts, maySee } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { ExportableResponse, RecordExportService } from '../../http/export/record-export.service.js';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { ListTransactionsQuery } from '../accounts/account-filter.query.js';
import {
  toTransactionResponse,
  TRANSACTION_EXAMPLE,
  TRANSACTION_EXPORT,
  TransactionCollection,
} from './transaction.response.js';
import { TransactionRecordResponse } from './transaction-record.response.js';
import { type TransactionPlace, TransactionsRepository } from './transactions.repository.js';
import { isCalendarDate } from '../../platform/time/calendar-date.js';

@ApiTags('Transactions')
@Controller('api/v1/transactions')
export class TransactionsController {
  constructor(
    private readonly transactions: TransactionsRepository,
    private readonly exports: RecordExportService,
  ) {}

  @Get()
  @ConditionalGet()
  @LimitsAccounts(byFilter)
  @RequireScope('transactions:read')
  @ApiOperation({ operationId: 'listTransactions', summary: 'List transactions' })
  @ExportableResponse('Transactions listed.', TransactionCollection, TRANSACTION_EXPORT, TRANSACTION_EXAMPLE)
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListTransactionsQuery,
    @Req() request: Request,
  ): Promise<TransactionCollection | StreamableFile> {
    if (wantedTypeOf(request) === JSON_TYPE) return this.#page(caller, query);
    refuseCursor(query);
    return this.exports.stream(request, TRANSACTION_EXPORT, this.transactions.readAll(caller.userId, query));
  }

  @Get(':id')
  @LimitsAccounts(byHandler)
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'getTransaction',
    summary: 'Get one transaction with its history',
    description: 'Every version that the bank has listed, and what became of a transaction that it no longer lists.',
  })
  @ApiResponse({ status: 200, description: 'The transaction.', type: TransactionRecordResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<TransactionRecordResponse> {
    const record = isUuid(id) ? await this.transactions.findRecord(caller.userId, id) : null;
    if (!record || !maySee(caller, record.account.id)) throw recordNotFound('transaction');
    return record;
  }

  async #page({ userId }: Caller, query: ListTransactionsQuery): Promise<TransactionCollection> {
    const reading = parseCursor(userId, 'transactions', query, isTransactionPlace);
    if (!reading) {
      const { rows, totalCount } = await this.transactions.listPage(userId, query);
      return { transactions: rows.map(toTransactionResponse), pagination: pagination(query, totalCount) };
    }
    const { after, totalCount: knownCount } = reading;
    const { rows, hasMore, totalCount } = await this.transactions.readOn(userId, query, after, knownCount);
    const last = hasMore ? rows.at(-1)! : null;
    const place = last && [last.date, last.account_id, last.id];
    const paging = cursorPage(reading, query, { count: rows.length, totalCount, after: place });
    return { transactions: rows.map(toTransactionResponse), ...paging };
  }
}

function isTransactionPlace(texts: readonly string[]): texts is TransactionPlace {
  const [date = '', accountId = '', id = '', ...others] = texts;
  return isCalendarDate(date) && isUuid(accountId) && isUuid(id) && others.length === 0;
}
