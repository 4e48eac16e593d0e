import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import { dateInTimeZone, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { pointsOf } from './net-worth.js';
import type { NetWorthQuery } from './net-worth.query.js';
import { type NetWorthResponse, toPointResponse } from './net-worth.response.js';
import { NetWorthService } from './net-worth.service.js';
import { currenciesOf, netWorthWarnings } from './net-worth-accounts.js';

/** Net worth in the form of the API. */
@Injectable()
export class NetWorthReportService {
  constructor(
    private readonly netWorth: NetWorthService,
    private readonly clock: Clock,
  ) {}

  async read(
    { userId, timeZone }: Pick<Caller, 'userId' | 'timeZone'>,
    query: NetWorthQuery,
  ): Promise<NetWorthResponse> {
    const { granularity } = query;
    const accounts = await this.netWorth.accounts(userId, query.account_id);
    const currency = query.currency ?? currenciesOf(accounts)[0] ?? null;
    const today = dayNumber(dateInTimeZone(this.clock.now(), timeZone));
    const to = query.end_date ? Math.min(dayNumber(query.end_date), today) : today;
    const wanted = currency === null ? [] : [currency];
    const [history] = await this.netWorth.read(userId, wanted, accounts, (firstDay) => {
      const from = query.start_date ? Math.max(dayNumber(query.start_date), dayNumber(firstDay)) : dayNumber(firstDay);
      return pointsOf(from, to, granularity);
    });
    const points = history?.points ?? [];
    return {
      currency,
      granularity,
      net_worth: points.map((point) => toPointResponse(point, history!.currency)),
      warnings: netWorthWarnings(accounts, currency, points[0]?.date ?? null, dateOfDayNumber(to)),
    };
  }
}
