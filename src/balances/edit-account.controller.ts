import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Account } from '../accounts/account.entity.js';
import { AccountResponse, toAccountResponse } from '../accounts/account.response.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { recordNotFound } from '../api/api-error.js';
import { BodyPipe } from '../api/body.pipe.js';
import { ErrorResponse } from '../api/error-response.js';
import { isUuid } from '../api/validators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { dateInTimeZone } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { deriveAccountHistory } from './derive-account-history.js';
import { EditAccountRequest } from './edit-account.request.js';

const HELD = { lockMode: LockMode.PESSIMISTIC_WRITE };

/** Editing an account may change its history, which accounts know nothing of: hence here. */
@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class EditAccountController {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  @Patch(':id')
  @RequireScope('accounts:write')
  @ApiOperation({ operationId: 'editAccount', summary: 'Rename an account or set its type' })
  @ApiBody({ type: EditAccountRequest })
  @ApiResponse({ status: 200, description: 'The account as it is now.', type: AccountResponse })
  @ApiResponse({ status: 400, description: 'The body is not JSON.', type: ErrorResponse })
  @ApiResponse({ status: 404, description: 'There is no such account.', type: ErrorResponse })
  @ApiResponse({ status: 422, description: 'A member of the body is invalid.', type: ErrorResponse })
  async edit(
    @CurrentCaller() { userId, timeZone }: Caller,
    @Param('id') id: string,
    @Body(new BodyPipe(EditAccountRequest)) { name, account_type }: EditAccountRequest,
  ): Promise<AccountResponse> {
    const now = this.clock.now();
    await this.em.transactional(async (em) => {
      // Held, so that no sync derives from the old type beside us.
      const account = isUuid(id) ? await em.findOne(Account, { userId, id }, HELD) : null;
      if (!account) throw recordNotFound('account');
      if (name !== undefined) Object.assign(account, { name, nameChosen: true });
      if (account_type) Object.assign(account, { accountType: account_type, accountTypeChosen: true });
      account.updatedAt = now;
      await em.flush();
      if (account_type) await deriveAccountHistory(em, account, dateInTimeZone(now, timeZone));
    });
    return toAccountResponse((await this.accounts.findById(userId, id))!);
  }
}
