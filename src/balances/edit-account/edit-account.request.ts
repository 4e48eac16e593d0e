import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Length, ValidateIf } from 'class-validator';
import type { CalendarDate } from '../../time/calendar-date.js';
import { IfGiven, IsCalendarDate, Trimmed } from '../../http/input/validators.js';
import { ACCOUNT_TYPES, type AccountType } from '../../balance-engine/ledger.js';

export class EditAccountRequest {
  @ApiPropertyOptional({ example: 'Household account', minLength: 1, maxLength: 200 })
  @IfGiven()
  @Trimmed()
  @IsString({ message: 'name must be a string' })
  @Length(1, 200, { message: 'name must have 1 to 200 characters' })
  name?: string;

  @ApiPropertyOptional({
    enum: ACCOUNT_TYPES,
    description: 'Never overwritten by a sync; the history is derived again.',
  })
  @IfGiven()
  @IsIn(ACCOUNT_TYPES, { message: `account_type must be one of: ${ACCOUNT_TYPES.join(', ')}` })
  account_type?: AccountType;

  @ApiPropertyOptional({
    type: String,
    format: 'date',
    nullable: true,
    description:
      'The last day of the account, today at the latest. Its history ends with it, and from the next day on nothing of ' +
      'it counts; what the provider still reports is stored. `null` opens it again.',
  })
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsCalendarDate()
  closed_on?: CalendarDate | null;

  @ApiPropertyOptional({ description: '`false` leaves its whole history out of net worth.' })
  @IfGiven()
  @IsBoolean({ message: 'include_in_net_worth must be true or false' })
  include_in_net_worth?: boolean;

  @ApiPropertyOptional({ description: '`true` folds it away in the overview.' })
  @IfGiven()
  @IsBoolean({ message: 'hidden must be true or false' })
  hidden?: boolean;
}
