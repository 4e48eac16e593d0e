import { Controller, Get, Param, Query, Req, type StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ExportableResponse, RecordExportService } from '../../http/export/record-export.service.js';
import { ApiNotModified } from '../../http/conditional-get/conditional-get.interceptor.js';
import { ConditionalGetService } from '../../http/conditional-get/conditional-get.service.js';
import { type RevisedAnswer, Revisions } from '../../http/conditional-get/revisions.js';
import { UpdatedSinceParameter } from '../../http/input/filter-parameters.js';
import { GivenMoment } from '../../http/input/given.js';
import { isUuid } from '../../http/input/validators.js';
import { recordNotFound, validationFailed } from '../../platform/domain-error.js';
import { JSON_TYPE, wantedTypeOf } from '../../http/export/media-type.guard.js';
import { cursorPage, parseCursor, refuseCursor } from '../../http/pagination/cursor.js';
import { pagination } from '../../http/pagination/page.js';
import { IgnoresUnknownParameters } from '../../http/input/query-parameters.guard.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byFilter, byHandler, LimitsAccounts, maySee } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import {
  BALANCE_EXAMPLE,
  BALANCE_EXPORT,
  BalanceCollection,
  BalanceResponse,
  type BalanceRow,
  toBalanceResponse,
} from './balance.response.js';
import { type BalancePlace, BalancesRepository } from './balances.repository.js';
import { AccountFilterQuery } from '../accounts/account-filter.query.js';
import { isCalendarDate } from '../../platform/time/calendar-date.js';
import { BalanceVersionsRepository } from './balance-versions.repository.js';
import { BalanceRevisions, toBalanceRevision } from './balance-versions.response.js';

class ListBalancesQuery extends AccountFilterQuery {
  @GivenMoment({
    optional: true,
    description: 'The list as it was at this moment. Accounts, their names and types are today’s. Not with `cursor`.',
  })
  as_of?: string;

  @UpdatedSinceParameter('Not with `cursor` or `as_of`.')
  updated_since?: string;
}

@ApiTags('Balances')
@Controller('api/v1/balances')
export class BalancesController {
  constructor(
    private readonly balances: BalancesRepository,
    private readonly exports: RecordExportService,
    private readonly versions: BalanceVersionsRepository,
    private readonly revisions: Revisions,
    private readonly conditionalGet: ConditionalGetService,
  ) {}

  @Get()
  @IgnoresUnknownParameters()
  @ApiNotModified()
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'listBalances',
    summary: 'List balance history records',
    description:
      'One record per account per day. In every record the parts add up to the minor unit. A history ends with the day ' +
      'of the last answer of its provider: the days since have no record until the next sync adds them.',
  })
  @ExportableResponse('Balances listed.', BalanceCollection, BALANCE_EXPORT, BALANCE_EXAMPLE)
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListBalancesQuery,
    @Req() request: Request,
  ): Promise<BalanceCollection | StreamableFile | undefined> {
    if (query.as_of) {
      const moment = momentOf(query.as_of);
      return this.conditionalGet.answer(request, this.revisions, () => this.#listAsOf(caller, query, moment, request));
    }
    if (wantedTypeOf(request) !== JSON_TYPE) {
      return this.conditionalGet.answer(request, this.revisions, () => this.#export(caller, query, request));
    }
    if (query.updated_since)
      return this.conditionalGet.answer(request, this.revisions, () => this.#listUpdated(caller, query));
    // The service and no interceptor: with Nest's a page of 25 takes 1.1 times as long.
    return this.conditionalGet.answerRevised(request, this.revisions, () => this.#page(caller, query));
  }

  @Get(':id/revisions')
  @LimitsAccounts(byHandler)
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'listBalanceRevisions',
    summary: 'List earlier versions of a balance history record',
    description: 'Every earlier version of the record, when it was replaced and why.',
  })
  @ApiResponse({ status: 200, description: 'Earlier versions of the record.', type: BalanceRevisions })
  async listRevisions(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<BalanceRevisions> {
    const row = await this.#find(caller, id);
    const versions = await this.versions.listOfDay(caller.userId, row.account_id, row.date);
    return { revisions: versions.map(toBalanceRevision) };
  }

  @Get(':id')
  @LimitsAccounts(byHandler)
  @RequireScope('balances:read')
  @ApiOperation({ operationId: 'getBalance', summary: 'Get one balance history record' })
  @ApiResponse({ status: 200, description: 'The record.', type: BalanceResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<BalanceResponse> {
    return toBalanceResponse(await this.#find(caller, id));
  }

  async #find(caller: Caller, id: string): Promise<BalanceRow> {
    const row = isUuid(id) ? await this.balances.findById(caller.userId, id) : null;
    if (!row || !maySee(caller, row.account_id)) throw recordNotFound('balance');
    return row;
  }

  async #listAsOf(
    caller: Caller,
    query: ListBalancesQuery,
    moment: string,
    request: Request,
  ): Promise<BalanceCollection | StreamableFile> {
    if (query.cursor !== undefined) throw validationFailed(['cursor cannot be combined with as_of']);
    if (query.updated_since) throw validationFailed(['updated_since cannot be combined with as_of']);
    if (wantedTypeOf(request) !== JSON_TYPE) {
      const batches = await this.versions.readAllAsOf(caller.userId, query, moment);
      return this.exports.stream(request, BALANCE_EXPORT, batches);
    }
    const { rows, totalCount } = await this.versions.listPageAsOf(caller.userId, query, moment);
    return { balances: rows.map(toBalanceResponse), pagination: pagination(query, totalCount) };
  }

  async #listUpdated({ userId }: Caller, query: ListBalancesQuery): Promise<BalanceCollection> {
    if (query.cursor !== undefined) throw validationFailed(['cursor cannot be combined with updated_since']);
    const { rows, totalCount } = await this.balances.listUpdated(userId, query);
    return { balances: rows.map(toBalanceResponse), pagination: pagination(query, totalCount) };
  }

  async #export({ userId }: Caller, query: ListBalancesQuery, request: Request): Promise<StreamableFile> {
    refuseCursor(query);
    return this.exports.stream(request, BALANCE_EXPORT, this.balances.readAll(userId, query));
  }

  async #page({ userId }: Caller, query: AccountFilterQuery): Promise<RevisedAnswer<BalanceCollection>> {
    const reading = parseCursor(userId, 'balances', query, isBalancePlace);
    const numbered = reading ? { ...query, page: 1 } : query;
    const found = await this.balances.listPage(userId, numbered, reading?.after);
    const { rows, totalCount, hasMore, revision } = found;
    const last = hasMore ? rows.at(-1)! : null;
    const after = last && [last.date, last.account_id];
    const paging = reading
      ? cursorPage(reading, query, { count: rows.length, totalCount, after })
      : { pagination: pagination(query, totalCount) };
    return { answer: { balances: rows.map(toBalanceResponse), ...paging }, revision };
  }
}

function isBalancePlace(texts: readonly string[]): texts is BalancePlace {
  const [date = '', accountId = '', ...others] = texts;
  return isCalendarDate(date) && isUuid(accountId) && others.length === 0;
}

/** The moment in UTC and to the microsecond, as PostgreSQL keeps it; a `Date` knows no microseconds. */
function momentOf(instant: string): string {
  const [, microseconds = ''] = /\.\d{3}(\d{1,3})/.exec(instant) ?? [];
  return new Date(instant).toISOString().replace('Z', `${microseconds}Z`);
}
