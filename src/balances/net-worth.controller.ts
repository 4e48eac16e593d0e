import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ListAnswers, Revalidated } from '../accounts/list-answers.js';
import { ErrorResponse } from '../api/error-response.js';
import { QueryPipe } from '../api/query.pipe.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { dateInTimeZone, dateOfDayNumber, dayNumber } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { netWorth, pointsOf } from './net-worth.js';
import { NET_WORTH_PARAMETERS, NetWorthQuery } from './net-worth.query.js';
import { NetWorthRepository } from './net-worth.repository.js';
import { NetWorthResponse, toPointResponse } from './net-worth.response.js';
import { hasHistory, mostUsedCurrency, warningsOf } from './net-worth-accounts.js';

@ApiTags('Net worth')
@Controller('api/v1/net_worth')
export class NetWorthController {
  constructor(
    private readonly repository: NetWorthRepository,
    private readonly clock: Clock,
    private readonly answers: ListAnswers,
  ) {}

  @Get()
  @Revalidated()
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'getNetWorth',
    summary: 'See what everything is worth over time',
    description:
      'Assets less liabilities of all accounts in one currency. Money in other currencies is never added 1:1: such ' +
      'accounts are named in `warnings`. An account that is still followed goes on with its last balance until the ' +
      'end; one that was disconnected, or that its bank lists no more, ends with its history.',
  })
  @ApiQuery({ type: NetWorthQuery })
  @ApiResponse({ status: 200, description: 'Net worth, point by point.', type: NetWorthResponse })
  @ApiResponse({ status: 422, description: 'A parameter is invalid.', type: ErrorResponse })
  get(
    @CurrentCaller() caller: Caller,
    @Query(new QueryPipe(NetWorthQuery, NET_WORTH_PARAMETERS)) query: NetWorthQuery,
    @Req() request: Request,
  ): Promise<NetWorthResponse | undefined> {
    return this.answers.of(request, () => this.#read(caller, query));
  }

  async #read({ userId, timeZone }: Caller, query: NetWorthQuery): Promise<NetWorthResponse> {
    const { granularity } = query;
    const accounts = await this.repository.accounts(userId);
    const currency = query.currency ?? mostUsedCurrency(accounts);
    const counted = accounts.filter(hasHistory).filter((account) => account.currency === currency);
    const today = dayNumber(dateInTimeZone(this.clock.now(), timeZone));
    const to = query.end_date ? Math.min(dayNumber(query.end_date), today) : today;
    const warnings = warningsOf(accounts, currency, dateOfDayNumber(to));
    if (currency === null || counted.length === 0) return { currency, granularity, net_worth: [], warnings };

    const first = Math.min(...counted.map(({ firstDate }) => dayNumber(firstDate)));
    const from = query.start_date ? Math.max(dayNumber(query.start_date), first) : first;
    const points = pointsOf(from, to, granularity);
    const sums = await this.repository.sums(userId, currency, points);
    const goingOn = counted.filter(({ isFollowed }) => isFollowed);
    return {
      currency,
      granularity,
      net_worth: netWorth(points, sums, goingOn).map((point) => toPointResponse(point, currency)),
      warnings,
    };
  }
}
