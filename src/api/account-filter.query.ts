import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import type { CalendarDate } from '../time/calendar-date.js';
import { PAGE_PARAMETERS, PageQuery } from './page.js';
import { IsCalendarDate, IsNotBefore, UUID } from './validators.js';

const upperCase = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value);

/** The filters that lists of dated records of accounts have in common. */
export class AccountFilterQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only records of this account.' })
  @IsOptional()
  @Matches(UUID, { message: 'account_id must be a valid UUID' })
  account_id?: string;

  @ApiPropertyOptional({ example: 'USD', description: 'Only records in this currency: three letters, in either case.' })
  @IsOptional()
  @Transform(upperCase)
  @Matches(/^[A-Z]{3}$/, { message: 'currency must be a currency code of three letters' })
  currency?: string;

  @ApiPropertyOptional({ format: 'date', description: 'Records from this date on, inclusive.' })
  @IsOptional()
  @IsCalendarDate()
  start_date?: CalendarDate;

  @ApiPropertyOptional({ format: 'date', description: 'Records until this date, inclusive.' })
  @IsOptional()
  @IsCalendarDate()
  @IsNotBefore('start_date')
  end_date?: CalendarDate;
}

export const ACCOUNT_FILTER_PARAMETERS = [
  ...PAGE_PARAMETERS,
  'account_id',
  'currency',
  'start_date',
  'end_date',
] as const;
