import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { byPath, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { ConditionalGet } from '../../http/conditional-get/conditional-get.interceptor.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { GivenAmount, GivenDay, GivenFlag, minorOf } from '../../http/input/given.js';
import { PageQuery, pagination } from '../../http/pagination/page.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { StatementCollection, StatementResponse, toStatementResponse } from './statement.response.js';
import { StatementsService } from './statements.service.js';

class StatementRequest {
  @GivenDay({ description: 'From 1970 on, today at the latest. The balance is that of the end of the day.' })
  date: CalendarDate;

  @GivenAmount({ example: '612.45', description: 'For a liability, the amount owed.' })
  balance?: string;
  balance_cents?: number;
}

class EditStatementRequest {
  @GivenFlag({ description: '`true`: it counts on its day, whatever the bank reports.' })
  prevails: boolean;
}

@ApiTags('Accounts')
@Controller('api/v1/accounts/:id/statements')
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  @Get()
  @ConditionalGet()
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:read')
  @ApiOperation({
    operationId: 'listStatements',
    summary: 'List stated balances',
    description:
      'What you and imported files state of the ends of days, beside what else is known of them. Newest first. They are no ' +
      'kind of the change feed: every change of theirs is one of the account, and mostly of its balances.',
  })
  @ApiResponse({ status: 200, description: 'Statements listed.', type: StatementCollection })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<StatementCollection> {
    const { rows, totalCount } = await this.statements.listPage(caller, id, query);
    return { statements: rows.map(toStatementResponse), pagination: pagination(query, totalCount) };
  }

  @Post()
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'stateBalance',
    summary: 'State the balance of a day',
    description:
      'As a document says it. The history meets it on its day: days between balances that agree are known. One that ' +
      'differs is a finding of the reconciliation; where an earlier balance is known, the difference is an adjustment of ' +
      'its day, and otherwise the days before move and the adjustment comes after. A second statement of a day replaces the first.',
  })
  @ApiResponse({ status: 201, description: 'Stated.', type: StatementResponse })
  async state(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: StatementRequest,
  ): Promise<StatementResponse> {
    const amountIn = (currency: string) => minorOf(body, 'balance', currency);
    const made = await this.statements.state(caller, id, body.date, amountIn);
    return toStatementResponse(await this.statements.get(caller, id, made));
  }

  @Patch(':statement_id')
  @LimitsAccounts(byPath('id'))
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'editStatement',
    summary: 'Choose whether a statement counts against the bank',
    description: 'For a day on which the bank reports another balance: by default the bank’s counts.',
  })
  @ApiResponse({ status: 200, description: 'The statement as it is now.', type: StatementResponse })
  async edit(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('statement_id') statementId: string,
    @Body() { prevails }: EditStatementRequest,
  ): Promise<StatementResponse> {
    await this.statements.setPrevails(caller, id, statementId, prevails);
    return toStatementResponse(await this.statements.get(caller, id, statementId));
  }

  @Delete(':statement_id')
  @LimitsAccounts(byPath('id'))
  @HttpCode(204)
  @RequireScope('accounts:write')
  @ApiOperation({
    operationId: 'removeStatement',
    summary: 'Take a statement back',
    description: 'The history is then what it was without it.',
  })
  @ApiResponse({ status: 204, description: 'Taken back.' })
  @ApiResponse({ status: 409, description: 'It is of an imported file, and goes with it.', type: ErrorResponse })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('statement_id') statementId: string,
  ): Promise<void> {
    await this.statements.remove(caller, id, statementId);
  }
}
