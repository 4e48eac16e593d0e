import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byFilter, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { NetWorthQuery } from './net-worth.query.js';
import { NetWorthResponse } from './net-worth.response.js';
import { NetWorthService } from './net-worth.service.js';
import { NetWorthChangesQuery, NetWorthChangesResponse } from './net-worth-changes.response.js';
import { NetWorthChangesService, TRANSFER_DAYS } from './net-worth-changes.service.js';
import { NetWorthRevisions } from '../../http/conditional-get/user-revisions.js';

@ApiTags('Net worth')
@Controller('api/v1/net_worth')
export class NetWorthController {
  constructor(
    private readonly netWorth: NetWorthService,
    private readonly changes: NetWorthChangesService,
  ) {}

  @Get()
  @ConditionalGet({ revisions: NetWorthRevisions, unless: ({ query }) => query.in !== undefined })
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'getNetWorth',
    summary: 'Get net worth over time',
    description:
      'Assets less liabilities of all accounts, or of those in `account_id`, in one currency. Money in other currencies is never added 1:1: such ' +
      'accounts are named in `warnings`. With `in`, all currencies are added up in that one, each day at the exchange ' +
      'rates of that day, and `rates_as_of` says of which day these are; what has no rate is left out and named, and where nothing has one the sum is `null`. The last balance of a synced account is carried forward to the ' +
      'end, and those days are estimated; an account that is disconnected, closed or no longer listed ends with its history. Before its first ' +
      'record an account adds nothing, since its balance is unknown. Of two possible duplicates only the newer ' +
      'counts. `warnings` names every such account.',
  })
  @ApiResponse({ status: 200, description: 'Net worth, point by point.', type: NetWorthResponse })
  get(@CurrentCaller() caller: Caller, @Query() query: NetWorthQuery): Promise<NetWorthResponse> {
    return this.netWorth.report(caller, query);
  }

  @Get('changes')
  @ConditionalGet({ revisions: NetWorthRevisions })
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'getNetWorthChanges',
    summary: 'Get why net worth changed',
    description:
      'How the start of a period became its end: what came in, what went out, what the market did, and what no transaction ' +
      'explains. Of each account these are the sums of its balance records, signed as they count in net worth; buying or selling ' +
      'within one account is neither in nor out. The totals of a currency have the accounts known on all days of the period. ' +
      'Transfers between these accounts are in neither `money_in` nor `money_out` of the totals: a posted transaction out of one ' +
      `account and one into another, of the same amount and currency, at most ${TRANSFER_DAYS} days apart, each in one pair, the nearest first.`,
  })
  @ApiResponse({ status: 200, description: 'The changes by currency and account.', type: NetWorthChangesResponse })
  getChanges(@CurrentCaller() caller: Caller, @Query() query: NetWorthChangesQuery): Promise<NetWorthChangesResponse> {
    return this.changes.report(caller, query);
  }
}
