import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ConditionalGetService, ConditionalGet } from '../../http/conditional-get/conditional-get.service.js';
import { QueryPipe } from '../../http/input/query.pipe.js';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { RequireScope } from '../../auth/require-scope.decorator.js';
import { dateInTimeZone, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { pointsOf } from './net-worth.js';
import { NET_WORTH_PARAMETERS, NetWorthQuery } from './net-worth.query.js';
import { NetWorthResponse, toPointResponse } from './net-worth.response.js';
import { NetWorthRevisions } from './net-worth-revisions.js';
import { NetWorthService } from './net-worth.service.js';
import { currenciesOf, warningsOf } from './net-worth-accounts.js';

@ApiTags('Net worth')
@Controller('api/v1/net_worth')
export class NetWorthController {
  constructor(
    private readonly netWorth: NetWorthService,
    private readonly clock: Clock,
    private readonly answers: ConditionalGetService,
    private readonly revisions: NetWorthRevisions,
  ) {}

  @Get()
  @ConditionalGet()
  @RequireScope('balances:read')
  @ApiOperation({
    operationId: 'getNetWorth',
    summary: 'See what everything is worth over time',
    description:
      'Assets less liabilities of all accounts in one currency. Money in other currencies is never added 1:1: such ' +
      'accounts are named in `warnings`. An account that is still followed goes on with its last balance until the ' +
      'end; one that was disconnected or closed, or that its bank lists no more, ends with its history. Before its first ' +
      'record an account adds nothing, since its balance is not known. Of two accounts that may be one only the newer ' +
      'counts. `warnings` names every such account.',
  })
  @ApiQuery({ type: NetWorthQuery })
  @ApiResponse({ status: 200, description: 'Net worth, point by point.', type: NetWorthResponse })
  get(
    @CurrentCaller() caller: Caller,
    @Query(new QueryPipe(NetWorthQuery, NET_WORTH_PARAMETERS)) query: NetWorthQuery,
    @Req() request: Request,
  ): Promise<NetWorthResponse | undefined> {
    return this.answers.of(request, () => this.#read(caller, query), this.revisions);
  }

  async #read({ userId, timeZone }: Caller, query: NetWorthQuery): Promise<NetWorthResponse> {
    const { granularity } = query;
    const accounts = await this.netWorth.accounts(userId);
    const currency = query.currency ?? currenciesOf(accounts)[0] ?? null;
    const today = dayNumber(dateInTimeZone(this.clock.now(), timeZone));
    const to = query.end_date ? Math.min(dayNumber(query.end_date), today) : today;
    const history =
      currency === null
        ? null
        : await this.netWorth.read(userId, currency, accounts, (firstDay) => {
            const from = query.start_date
              ? Math.max(dayNumber(query.start_date), dayNumber(firstDay))
              : dayNumber(firstDay);
            return pointsOf(from, to, granularity);
          });
    const points = history?.points ?? [];
    return {
      currency,
      granularity,
      net_worth: points.map((point) => toPointResponse(point, history!.currency)),
      warnings: warningsOf(accounts, currency, points[0]?.date ?? null, dateOfDayNumber(to)),
    };
  }
}
