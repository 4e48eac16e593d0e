import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AccountResponse, toAccountResponse } from '../../accounts/account.response.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { recordNotFound } from '../../http/errors/api-error.js';
import { BodyPipe } from '../../http/input/body.pipe.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { isUuid } from '../../http/input/validators.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { OtherAccountRequest } from './merge-accounts.request.js';
import { MergeAccountsService } from './merge-accounts.service.js';

/** A person's answer to the offer that an account which is gone and one that is new are the same. */
@ApiTags('Accounts')
@Controller('api/v1/accounts/:id')
@ApiResponse({ status: 400, description: 'The body is not JSON.', type: ErrorResponse })
@ApiResponse({ status: 404, description: 'There is no such account.', type: ErrorResponse })
@ApiResponse({ status: 422, description: '`account_id` is not another account of yours.', type: ErrorResponse })
export class MergeAccountsController {
  constructor(
    private readonly relinks: MergeAccountsService,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  @Post('relink')
  @HttpCode(200)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'relinkAccount',
    summary: 'Continue an account as another one',
    description:
      'For an account that its provider does not list any more and that came back under another id. It keeps its own ' +
      'id, name, type and history, takes over what came for the other one, and is synced from now on; the other one ' +
      'ceases to be. There is no way back.',
  })
  @ApiBody({ type: OtherAccountRequest })
  @ApiResponse({ status: 200, description: 'The account, listed again.', type: AccountResponse })
  @ApiResponse({ status: 409, description: 'It is still listed, or the other one is not.', type: ErrorResponse })
  async relink(
    @CurrentCaller() { userId, timeZone }: Caller,
    @Param('id') id: string,
    @Body(new BodyPipe(OtherAccountRequest)) { account_id: otherId }: OtherAccountRequest,
  ): Promise<AccountResponse> {
    await this.relinks.relink(userId, [{ accountId: known(id), otherId }], dateInTimeZone(this.clock.now(), timeZone));
    return toAccountResponse((await this.accounts.findById(userId, id))!);
  }

  @Post('keep_apart')
  @HttpCode(204)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'keepAccountsApart',
    summary: 'Say that two accounts are two',
    description: 'Relinking them is not offered again.',
  })
  @ApiBody({ type: OtherAccountRequest })
  @ApiResponse({ status: 204, description: 'Remembered.' })
  async keepApart(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Body(new BodyPipe(OtherAccountRequest)) { account_id: otherId }: OtherAccountRequest,
  ): Promise<void> {
    await this.relinks.keepApart(userId, { accountId: known(id), otherId });
  }
}

function known(id: string): string {
  if (!isUuid(id)) throw recordNotFound('account');
  return id;
}
