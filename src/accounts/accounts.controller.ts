import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { recordNotFound } from '../http/errors/api-error.js';
import { PageQuery, pagination } from '../http/pagination/page.js';
import { isUuid } from '../http/input/validators.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { AccountCollection, AccountResponse, toAccountResponse } from './account.response.js';
import { AccountsRepository } from './accounts.repository.js';
import { ConditionalGetService, ConditionalGet } from '../http/conditional-get/conditional-get.service.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly answers: ConditionalGetService,
  ) {}

  @Get()
  @ConditionalGet()
  @RequireScope('accounts:read')
  @ApiOperation({ operationId: 'listAccounts', summary: 'List accounts', description: 'By name.' })
  @ApiResponse({ status: 200, description: 'Accounts listed.', type: AccountCollection })
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: PageQuery,
    @Req() request: Request,
  ): Promise<AccountCollection | undefined> {
    return this.answers.of(request, async () => {
      const { rows, totalCount } = await this.accounts.listPage(caller.userId, query);
      return { accounts: rows.map(toAccountResponse), pagination: pagination(query, totalCount) };
    });
  }

  @Get(':id')
  @RequireScope('accounts:read')
  @ApiOperation({ operationId: 'getAccount', summary: 'Get one account' })
  @ApiResponse({ status: 200, description: 'The account.', type: AccountResponse })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AccountResponse> {
    const row = isUuid(id) ? await this.accounts.findById(caller.userId, id) : null;
    if (!row) throw recordNotFound('account');
    return toAccountResponse(row);
  }
}
