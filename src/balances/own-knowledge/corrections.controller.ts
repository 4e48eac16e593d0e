import { Body, Controller, Delete, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { byBody, byHandler, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { GivenAmount, GivenDay, GivenFlag, GivenId, GivenText, minorOf } from '../../http/input/given.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { TransactionRecordResponse } from '../transactions/transaction-record.response.js';
import { CorrectionsService } from './corrections.service.js';

export const MAX_NOTE_CHARS = 500;
export const MAX_DESCRIPTION_CHARS = 200;

class CorrectTransactionRequest {
  @GivenDay({
    optional: true,
    nullable: true,
    example: '2026-03-01',
    description: 'The day on which it counts, today at the latest. `null`: as it is listed.',
  })
  date?: CalendarDate | null;

  @GivenAmount({
    nullable: true,
    example: '-12',
    description: 'Negative = out of the account, whatever the sign of the bank. `null`: as it is listed.',
  })
  amount?: string | null;
  amount_cents?: number | null;

  @GivenFlag({
    optional: true,
    nullable: true,
    description:
      '`true`: it is shown and not counted, such as one that the bank lists twice. `false`: it counts, also where a file has ' +
      'it and the bank does not list it on a day of its own. `null`: as it is listed.',
  })
  excluded?: boolean | null;

  @GivenText({ optional: true, nullable: true, max: MAX_NOTE_CHARS, example: 'The shop charged too much at first.' })
  note?: string | null;
}

class AddTransactionRequest {
  @GivenId({ description: 'One of your accounts.' })
  account_id: string;

  @GivenDay({ example: '2026-03-02', description: 'Today at the latest.' })
  date: CalendarDate;

  @GivenAmount({ example: '-21', description: 'In the account’s currency; negative = out of the account.' })
  amount?: string;
  amount_cents?: number;

  @GivenText({ min: 1, max: MAX_DESCRIPTION_CHARS, example: 'Flea market' })
  description: string;

  @GivenText({ optional: true, nullable: true, max: MAX_DESCRIPTION_CHARS, example: null })
  merchant?: string | null;

  @GivenText({ optional: true, nullable: true, max: MAX_NOTE_CHARS, example: 'Paid in cash.' })
  note?: string | null;
}

/** A correction changes the history, which `transactions/` does not know: hence here. */
@ApiTags('Transactions')
@Controller('api/v1/transactions')
export class CorrectionsController {
  constructor(private readonly corrections: CorrectionsService) {}

  @Patch(':id')
  @LimitsAccounts(byHandler)
  @RequireScope('transactions:write')
  @ApiOperation({
    operationId: 'correctTransaction',
    summary: 'Correct a transaction, leave it out, or note something on it',
    description:
      'What you say stays, whatever the bank lists later: through new ids of the bank, a merge of its account, and a new ' +
      'derivation of the history. What is listed stays beside it, in `reported_date` and `reported_amount`. Members that are ' +
      'left out stay as they are; `null` takes one back. The balances of the account are derived again.',
  })
  @ApiResponse({ status: 200, description: 'The transaction as it is now.', type: TransactionRecordResponse })
  @ApiResponse({ status: 409, description: 'It is no longer listed.', type: ErrorResponse })
  async correct(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CorrectTransactionRequest,
  ): Promise<TransactionRecordResponse> {
    const { date, excluded, note } = body;
    const given = body.amount !== undefined || body.amount_cents !== undefined;
    const isBack = body.amount === null || body.amount_cents === null;
    const amount = isBack ? null : given ? (currency: string) => minorOf(body, 'amount', currency) : undefined;
    await this.corrections.correct(caller, id, { date, amount, excluded, note });
    return this.corrections.find(caller, id);
  }

  @Delete(':id/correction')
  @LimitsAccounts(byHandler)
  @HttpCode(204)
  @RequireScope('transactions:write')
  @ApiOperation({
    operationId: 'undoCorrection',
    summary: 'Take back everything that you have said of a transaction',
    description: 'It is then as it is listed, and the balances are what they are without the correction.',
  })
  @ApiResponse({ status: 204, description: 'It is as it is listed.' })
  @ApiResponse({ status: 409, description: 'You have added it: delete it instead.', type: ErrorResponse })
  undo(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.corrections.undo(caller, id);
  }

  @Post()
  @LimitsAccounts(byBody('account_id'))
  @RequireScope('transactions:write')
  @ApiOperation({
    operationId: 'addTransaction',
    summary: 'Add a transaction that no list has',
    description:
      'It counts until the bank or a file lists the same amount within five days of it, later than you have added it: then ' +
      'that one counts, and this one is `superseded`.',
  })
  @ApiResponse({ status: 201, description: 'The transaction.', type: TransactionRecordResponse })
  async add(@CurrentCaller() caller: Caller, @Body() body: AddTransactionRequest): Promise<TransactionRecordResponse> {
    const { account_id: accountId, date, description, merchant, note } = body;
    const amount = (currency: string) => minorOf(body, 'amount', currency);
    const row = { date, amount, description, merchant: merchant || null, note: note || null };
    return this.corrections.find(caller, await this.corrections.add(caller, accountId.toLowerCase(), row));
  }

  @Delete(':id')
  @LimitsAccounts(byHandler)
  @HttpCode(204)
  @RequireScope('transactions:write')
  @ApiOperation({
    operationId: 'deleteTransaction',
    summary: 'Delete a transaction that you have added',
    description: '**This cannot be undone.** What a bank or a file lists is left out instead: `excluded` of `PATCH`.',
  })
  @ApiResponse({ status: 204, description: 'Deleted.' })
  @ApiResponse({ status: 409, description: 'You have not added it.', type: ErrorResponse })
  remove(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.corrections.remove(caller, id);
  }
}
