import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AccountResponse, toAccountResponse } from '../accounts/account.response.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { byPath, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { EditAccountService } from './edit-account.service.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { GivenDay, GivenFlag, GivenName, GivenOneOf } from '../../http/input/given.js';
import { ACCOUNT_TYPES, type AccountType } from '../engine/ledger.js';

class EditAccountRequest {
  @GivenName({ optional: true, example: 'Household account' })
  name?: string;

  @GivenOneOf(ACCOUNT_TYPES, {
    optional: true,
    description: 'Never overwritten by a sync; the history is derived again.',
  })
  account_type?: AccountType;

  @GivenDay({
    optional: true,
    nullable: true,
    description:
      'The last day of the account, today at the latest. Its history ends with it, and from the next day on nothing of ' +
      'it counts; what the provider still reports is stored. `null` opens it again.',
  })
  closed_on?: CalendarDate | null;

  @GivenFlag({ optional: true, description: '`false` leaves its whole history out of net worth.' })
  include_in_net_worth?: boolean;

  @GivenFlag({ optional: true, example: false, description: '`true` folds it away in the overview.' })
  hidden?: boolean;
}

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
    // Another request may have merged or deleted it meanwhile.
    return toAccountResponse(await this.accounts.get(caller.userId, id));
  }
}
