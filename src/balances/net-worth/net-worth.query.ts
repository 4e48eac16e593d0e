import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { AccountIdsParameter, CurrencyParameter, DateParameter } from '../../http/input/filter-parameters.js';
import { IsNotBefore } from '../../http/input/validators.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { GRANULARITIES, type Granularity } from './net-worth.js';

export class NetWorthQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrencyParameter('Accounts in this currency; without it, the currency of most accounts')
  currency?: string;

  @DateParameter('The first date, inclusive; without it, the first of the history.')
  start_date?: CalendarDate;

  @DateParameter('The last date, inclusive; without it, and at most, today.')
  @IsNotBefore('start_date')
  end_date?: CalendarDate;

  @ApiPropertyOptional({
    enum: GRANULARITIES,
    default: 'day',
    description: 'One point per day, week (as of its Sunday) or month (as of its last day).',
  })
  @IsOptional()
  @IsIn(GRANULARITIES, { message: `granularity must be one of: ${GRANULARITIES.join(', ')}` })
  granularity: Granularity = 'day';
}
