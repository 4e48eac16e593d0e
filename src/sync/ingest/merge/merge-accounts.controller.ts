import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AccountResponse, toAccountResponse } from '../../../balances/accounts/account.response.js';
import { AccountsRepository } from '../../../balances/accounts/accounts.repository.js';
import { recordNotFound } from '../../../platform/domain-error.js';
import { ErrorResponse } from '../../../http/errors/error-response.js';
import { GivenId } from '../../../http/input/given.js';
import { isUuid } from '../../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../../http/caller.js';
import { byBody, byPath, LimitsAccounts } from '../../../auth/account-limits.guard.js';
import { RequireScope } from '../../../auth/require-scope.decorator.js';
import { dateInTimeZone } from '../../../platform/time/calendar-date.js';
import { Clock } from '../../../platform/time/clock.js';
import { MergeAccountsService } from './merge-accounts.service.js';

/** The other account of a merge suggestion. */
class OtherAccountRequest {
  @GivenId({ description: 'The account that the provider lists now.' })
  account_id: string;
}

/** Answers a merge suggestion: the two accounts are one, or they stay separate. */
@ApiTags('Accounts')
@Controller('api/v1/accounts/:id')
export class MergeAccountsController {
  constructor(
    private readonly mergeAccounts: MergeAccountsService,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  @Post('merge')
  @LimitsAccounts(byPath('id'), byBody('account_id'))
  @HttpCode(200)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'mergeAccount',
    summary: 'Merge a duplicate into an account',
    description:
      '**This cannot be undone**, and the example may name two accounts of yours. For a disconnected account that the ' +
      'provider now lists under another id. The account keeps its own id, name, type and history, receives the ' +
      'transactions and balances of the duplicate, and is synced from now on. The duplicate is deleted.',
  })
  @ApiResponse({ status: 200, description: 'The merged account.', type: AccountResponse })
  @ApiResponse({
    status: 409,
    description: 'The account is still synced, or the duplicate is not.',
    type: ErrorResponse,
  })
  async merge(
    @CurrentCaller() { userId, timeZone }: Caller,
    @Param('id') id: string,
    @Body() { account_id: replacementId }: OtherAccountRequest,
  ): Promise<AccountResponse> {
    await this.mergeAccounts.merge(
      userId,
      [{ disconnectedId: known(id), replacementId }],
      dateInTimeZone(this.clock.now(), timeZone),
    );
    // Another request may have deleted it meanwhile.
    return toAccountResponse(await this.accounts.get(userId, id));
  }

  @Post('keep_separate')
  @LimitsAccounts(byPath('id'), byBody('account_id'))
  @HttpCode(204)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'keepAccountsSeparate',
    summary: 'Keep two accounts separate',
    description: 'The merge is not suggested again.',
  })
  @ApiResponse({ status: 204, description: 'The accounts stay separate.' })
  async keepSeparate(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Body() { account_id: replacementId }: OtherAccountRequest,
  ): Promise<void> {
    await this.mergeAccounts.keepSeparate(userId, { disconnectedId: known(id), replacementId });
  }
}

function known(id: string): string {
  if (!isUuid(id)) throw recordNotFound('account');
  return id;
}
