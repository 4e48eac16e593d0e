import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { byPath, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { Given, GivenAmount, GivenDay, GivenFlag, GivenName, GivenOneOf, minorOf } from '../../http/input/given.js';
import { PageQuery, pagination } from '../../http/pagination/page.js';
import { validationFailed } from '../../platform/domain-error.js';
import { currencyCode } from '../../platform/money/currency.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { AccountResponse, toAccountResponse } from '../accounts/account.response.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { ACCOUNT_TYPES, type AccountType } from '../engine/ledger.js';
import { OwnAccountsService } from './own-accounts.service.js';
import { toValueResponse, ValueCollection, ValueResponse } from './statement.response.js';
import { StatementsService } from './statements.service.js';

const OWED = 'For a liability, the amount owed, as a positive amount.';

class ValueRequest {
  @GivenAmount({ example: '410000', description: OWED })
  value?: string;
  value_cents?: number;
}

class NewAccountRequest {
  @GivenName({ example: 'Our house' })
  name: string;

  @GivenOneOf(ACCOUNT_TYPES, { example: 'property' })
  account_type: AccountType;

  @Given<string>(
    {
      schema: { type: 'string', pattern: '^[A-Za-z]{3}$' },
      problemOf: (code) =>
        typeof code === 'string' && currencyCode(code) !== null ? null : 'must be an ISO 4217 code such as EUR',
      clean: (code) => currencyCode(code) ?? code,
    },
    { example: 'USD' },
  )
  currency: string;

  @GivenFlag({ optional: true, example: true, description: '`false` leaves its whole history out of net worth.' })
  include_in_net_worth?: boolean;

  @GivenAmount({ optional: true, example: '410000', description: `What it is worth on \`date\`. ${OWED}` })
  value?: string;
  value_cents?: number;

  @GivenDay({ optional: true, description: 'Of the value: from 1970 on, today at the latest and by default.' })
  date?: CalendarDate;
}

const OTHER = { status: 409, description: 'The account is listed by a bank: state its balance instead.' };
const DAY = {
  name: 'date',
  type: String,
  format: 'date',
  description: 'From 1970 on, today at the latest.',
  example: '2026-03-01',
};

/** Accounts that no bank lists, and what they are worth. */
@ApiTags('Accounts')
@Controller('api/v1/accounts')
export class OwnAccountsController {
  constructor(
    private readonly ownAccounts: OwnAccountsService,
    private readonly statements: StatementsService,
    private readonly accounts: AccountsRepository,
  ) {}

  @Post()
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'addAccount',
    summary: 'Add an account by hand',
    description:
      'A house, a car, a pension, cash: what no bank lists. It is worth what you say from a day on, and is part of net ' +
      'worth and all lists like any other. If a bank lists it later, merge the two.',
  })
  @ApiResponse({ status: 201, description: 'Added.', type: AccountResponse })
  async add(@CurrentCaller() caller: Caller, @Body() body: NewAccountRequest): Promise<AccountResponse> {
    const { name, account_type: accountType, currency, include_in_net_worth: includeInNetWorth = true, date } = body;
    const isValued = body.value !== undefined || body.value_cents !== undefined;
    if (date !== undefined && !isValued) throw validationFailed(['date is of a value, which is missing']);
    const value = isValued ? { date: date ?? null, amountIn: valueOf(body) } : null;
    const id = await this.ownAccounts.add(caller, { name, accountType, currency, includeInNetWorth, value });
    return toAccountResponse(await this.accounts.get(caller.userId, id));
  }

  @Get(':id/values')
  @ConditionalGet()
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:read')
  @ApiOperation({
    operationId: 'listValues',
    summary: 'List the values of an account by hand',
    description: 'Each counts from its day until the next. Newest first.',
  })
  @ApiResponse({ status: 200, description: 'Values listed.', type: ValueCollection })
  @ApiResponse({ ...OTHER, type: ErrorResponse })
  async list(
    @CurrentCaller() { userId }: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<ValueCollection> {
    const { rows, totalCount } = await this.statements.listValues(userId, id, query);
    return { values: rows.map(toValueResponse), pagination: pagination(query, totalCount) };
  }

  @Put(':id/values/:date')
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'setValue',
    summary: 'Say what an account by hand is worth on a day',
    description: 'From that day until the next one with a value. A second value of a day replaces the first.',
  })
  @ApiParam(DAY)
  @ApiResponse({ status: 200, description: 'The value of the day.', type: ValueResponse })
  @ApiResponse({ ...OTHER, type: ErrorResponse })
  async set(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('date') date: CalendarDate,
    @Body() body: ValueRequest,
  ): Promise<ValueResponse> {
    return toValueResponse(await this.statements.setValue(caller, id, date, valueOf(body)));
  }

  @Delete(':id/values/:date')
  @LimitsAccounts(byPath('id'))
  @HttpCode(204)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'removeValue',
    summary: 'Take back what an account by hand is worth on a day',
    description: 'The history is then what it was without it.',
  })
  @ApiParam(DAY)
  @ApiResponse({ status: 204, description: 'Taken back.' })
  @ApiResponse({ ...OTHER, type: ErrorResponse })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('date') date: CalendarDate,
  ): Promise<void> {
    await this.statements.removeValue(caller, id, date);
  }
}

function valueOf(body: ValueRequest): (currency: string) => number {
  return (currency) => minorOf(body, 'value', currency);
}
