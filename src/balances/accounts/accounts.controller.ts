import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { pagination } from '../../http/pagination/page.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byFilter, byPath, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { AccountCollection, AccountResponse, toAccountResponse } from './account.response.js';
import { ListAccountsQuery } from './account-filter.query.js';
import { AccountsRepository } from './accounts.repository.js';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class AccountsController {
  constructor(private readonly accounts: AccountsRepository) {}

  @Get()
  @ConditionalGet()
  @LimitsAccounts(byFilter)
  @RequireScope('accounts:read')
  @ApiOperation({ operationId: 'listAccounts', summary: 'List accounts', description: 'By name.' })
  @ApiResponse({ status: 200, description: 'Accounts listed.', type: AccountCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: ListAccountsQuery): Promise<AccountCollection> {
    const { rows, totalCount } = await this.accounts.listPage(userId, query);
    return { accounts: rows.map(toAccountResponse), pagination: pagination(query, totalCount) };
  }

  @Get(':id')
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:read')
  @ApiOperation({ operationId: 'getAccount', summary: 'Get one account' })
  @ApiResponse({ status: 200, description: 'The account as it is now.', type: AccountResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AccountResponse> {
    return toAccountResponse(await this.accounts.get(caller.userId, id));
  }
}
