import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  type Caller,
  ConditionalGet,
  CurrentCaller,
  ErrorResponse,
  PageQuery,
  pagination,
  RequireScope,
} from '../../../src/kit.js';
import { CreateSavingsGoalRequest } from './create-savings-goal.request.js';
import { SavingsGoalCollection, SavingsGoalCreated, toSavingsGoalResponse } from './savings-goal.response.js';
import { SavingsGoalsRepository } from './savings-goals.repository.js';
import { SavingsGoalsService } from './savings-goals.service.js';

@ApiTags('Savings goals')
@Controller('api/v1/savings_goals')
export class SavingsGoalsController {
  constructor(
    private readonly goals: SavingsGoalsService,
    private readonly repository: SavingsGoalsRepository,
  ) {}

  @Get()
  @ConditionalGet()
  @RequireScope('goals:read')
  @ApiOperation({ operationId: 'listSavingsGoals', summary: 'List savings goals', description: 'By name.' })
  @ApiResponse({ status: 200, description: 'Savings goals listed.', type: SavingsGoalCollection })
  async list(@CurrentCaller() { userId }: Caller, @Query() query: PageQuery): Promise<SavingsGoalCollection> {
    const { rows, totalCount } = await this.repository.listPage(userId, query);
    return { savings_goals: rows.map(toSavingsGoalResponse), pagination: pagination(query, totalCount) };
  }

  @Post()
  @RequireScope('goals:write')
  @ApiOperation({ operationId: 'createSavingsGoal', summary: 'Set a savings goal' })
  @ApiResponse({ status: 201, description: 'The goal is set.', type: SavingsGoalCreated })
  @ApiResponse({ status: 404, description: 'You have no such account.', type: ErrorResponse })
  @ApiResponse({ status: 409, description: 'The account has as many goals as one may have.', type: ErrorResponse })
  async create(
    @CurrentCaller() { userId }: Caller,
    @Body() request: CreateSavingsGoalRequest,
  ): Promise<SavingsGoalCreated> {
    return { id: await this.goals.create(userId, request) };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('goals:write')
  @ApiOperation({ operationId: 'deleteSavingsGoal', summary: 'Remove a savings goal' })
  @ApiResponse({ status: 204, description: 'Removed.' })
  async remove(@CurrentCaller() { userId }: Caller, @Param('id') id: string): Promise<void> {
    await this.goals.remove(userId, id);
  }
}
