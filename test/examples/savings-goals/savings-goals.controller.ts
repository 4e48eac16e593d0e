import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  Amount,
  type CalendarDate,
  type Caller,
  ConditionalGet,
  CurrentCaller,
  Day,
  ErrorResponse,
  GivenDay,
  GivenId,
  GivenMinor,
  GivenName,
  Group,
  Id,
  List,
  Minor,
  OneOf,
  PageQuery,
  Pagination,
  pagination,
  RequireScope,
  responseOf,
  Text,
} from '../../../src/kit.js';
import { SavingsGoalsService } from './savings-goals.service.js';
import { STATES } from './tables.js';

class CreateSavingsGoal {
  @GivenId({ description: 'One of your accounts.' })
  account_id: string;

  @GivenName({ example: 'Roof' })
  name: string;

  @GivenMinor({ min: 1, example: 500000, description: 'In the minor unit of the account’s currency.' })
  target_cents: number;

  @GivenDay({ optional: true, nullable: true, example: '2027-06-30' })
  due_on?: CalendarDate | null;
}

export class SavingsGoalResponse {
  @Id({ example: '5b1f3a52-8f4e-4c3c-9a5e-6d1f0a2b3c4d' })
  id: string;

  @Id({ example: '9c2e6d0a-1b7f-4f5a-8c3d-2e4f6a8b0c1d' })
  account_id: string;

  @Text({ example: 'Roof' })
  name: string;

  @Text({ example: 'EUR', description: 'The account’s currency when the goal was set.' })
  currency: string;

  @Amount({ example: 500000, currency: 'EUR' })
  target: string;
  target_cents: number;

  @Minor({ from: 'missing_minor', nullable: true, example: 175000, description: 'What the newest balance lacks.' })
  missing_cents: number | null;

  @Day({ nullable: true, example: '2027-06-30' })
  due_on: string | null;

  @OneOf(STATES, { example: 'open' })
  state: (typeof STATES)[number];
}

export const toSavingsGoal = responseOf(SavingsGoalResponse);

class SavingsGoalCreated {
  @Id()
  id: string;
}

class SavingsGoalCollection {
  @List(SavingsGoalResponse)
  savings_goals: SavingsGoalResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

@ApiTags('Savings goals')
@Controller('api/v1/savings_goals')
export class SavingsGoalsController {
  constructor(private readonly goals: SavingsGoalsService) {}

  @Get()
  @ConditionalGet()
  @RequireScope('goals:read')
  @ApiOperation({ operationId: 'listSavingsGoals', summary: 'List savings goals', description: 'By name.' })
  @ApiResponse({ status: 200, description: 'Savings goals listed.', type: SavingsGoalCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: PageQuery): Promise<SavingsGoalCollection> {
    const { rows, totalCount } = await this.goals.list(userId, query);
    return { savings_goals: rows.map(toSavingsGoal), pagination: pagination(query, totalCount) };
  }

  @Post()
  @RequireScope('goals:write')
  @ApiOperation({ operationId: 'createSavingsGoal', summary: 'Set a savings goal' })
  @ApiResponse({ status: 201, description: 'The goal is set.', type: SavingsGoalCreated })
  @ApiResponse({ status: 404, description: 'You have no such account.', type: ErrorResponse })
  @ApiResponse({ status: 409, description: 'The account has as many goals as one may have.', type: ErrorResponse })
  async create(@CurrentCaller() { userId }: Caller, @Body() body: CreateSavingsGoal): Promise<SavingsGoalCreated> {
    const { account_id: accountId, name, target_cents: targetMinor, due_on: dueOn = null } = body;
    return { id: await this.goals.create(userId, { accountId, name, targetMinor, dueOn }) };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('goals:write')
  @ApiOperation({
    operationId: 'deleteSavingsGoal',
    summary: 'Remove a savings goal',
    description: '**This cannot be undone.**',
  })
  @ApiResponse({ status: 204, description: 'Removed.' })
  async remove(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<void> {
    await this.goals.remove(userId, id);
  }
}
