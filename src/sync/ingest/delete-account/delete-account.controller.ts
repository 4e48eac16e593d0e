import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../../http/caller.js';
import { byPath, LimitsAccounts } from '../../../auth/account-limits.guard.js';
import { RequireScope } from '../../../auth/require-scope.decorator.js';
import { DeleteAccountService } from './delete-account.service.js';

@ApiTags('Accounts')
@Controller('api/v1/accounts/:id')
export class DeleteAccountController {
  constructor(private readonly deletions: DeleteAccountService) {}

  @Delete()
  @LimitsAccounts(byPath('id'))
  @HttpCode(204)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'deleteAccount',
    summary: 'Delete an account',
    description:
      '**This cannot be undone.** With its transactions, holdings and balances. Syncs do not bring it back: its connection names it in ' +
      '`deleted_accounts` until you restore it there. A new connection to the same bank brings it as a new account.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  async delete(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<void> {
    await this.deletions.delete(userId, id);
  }
}

@ApiTags('Connections')
@Controller('api/v1/connections/:id/deleted_accounts/:account_id')
export class RestoreAccountController {
  constructor(private readonly deletions: DeleteAccountService) {}

  @Delete()
  @LimitsAccounts(byPath('account_id'))
  @HttpCode(204)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'restoreAccount',
    summary: 'Sync a deleted account again',
    description: 'The next sync brings it as a new account, with what the provider still lists of it.',
  })
  @ApiResponse({ status: 204, description: 'Syncs no longer leave it out.' })
  async restore(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Param('account_id') accountId: string,
  ): Promise<void> {
    await this.deletions.restore(userId, id, accountId);
  }
}
