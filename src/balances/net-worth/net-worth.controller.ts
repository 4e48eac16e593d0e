import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byFilter, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { NetWorthQuery } from './net-worth.query.js';
import { NetWorthResponse } from './net-worth.response.js';
import { NetWorthService } from './net-worth.service.js';
import { NetWorthRevisions } from '../../http/conditional-get/user-revisions.js';

@ApiTags('Net worth')
@Controller('api/v1/net_worth')
export class NetWorthController {
  constructor(private readonly netWorth: NetWorthService) {}

  @Get()
  @ConditionalGet({ revisions: NetWorthRevisions })
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'getNetWorth',
    summary: 'Get net worth over time',
    description:
      'Assets less liabilities of all accounts, or of those in `account_id`, in one currency. Money in other currencies is never added 1:1: such ' +
      'accounts are named in `warnings`. The last balance of a synced account is carried forward to the ' +
      'end, and those days are estimated; an account that is disconnected, closed or no longer listed ends with its history. Before its first ' +
      'record an account adds nothing, since its balance is unknown. Of two possible duplicates only the newer ' +
      'counts. `warnings` names every such account.',
  })
  @ApiResponse({ status: 200, description: 'Net worth, point by point.', type: NetWorthResponse })
  get(@CurrentCaller() caller: Caller, @Query() query: NetWorthQuery): Promise<NetWorthResponse> {
    return this.netWorth.report(caller, query);
  }
}
