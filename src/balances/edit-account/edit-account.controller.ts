import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AccountResponse, toAccountResponse } from '../../accounts/account.response.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { recordNotFound } from '../../errors/domain-error.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byPath, LimitsAccounts } from '../../auth/account-limits.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { EditAccountService } from './edit-account.service.js';
import { EditAccountRequest } from './edit-account.request.js';

/** An edit may change the history, which `accounts/` does not know: hence here. */
@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class EditAccountController {
  constructor(
    private readonly edits: EditAccountService,
    private readonly accounts: AccountsRepository,
  ) {}

  @Patch(':id')
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'editAccount',
    summary: 'Rename, close or hide an account, set its type or leave it out of net worth',
  })
  @ApiResponse({ status: 200, description: 'The account as it is now.', type: AccountResponse })
  async edit(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: EditAccountRequest,
  ): Promise<AccountResponse> {
    const { name, account_type: accountType, closed_on: closedOn, hidden } = body;
    const includeInNetWorth = body.include_in_net_worth;
    await this.edits.edit(caller, id, { name, accountType, closedOn, includeInNetWorth, hidden });
    const account = await this.accounts.findById(caller.userId, id);
    // Another request may have merged or deleted it meanwhile.
    if (!account) throw recordNotFound('account');
    return toAccountResponse(account);
  }
}
