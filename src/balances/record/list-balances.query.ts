import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { AccountFilterQuery } from '../../accounts/account-filter.query.js';

/** RFC 3339 with a UTC offset, so that the instant does not depend on where somebody is. */
const MOMENT = /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/;

export class ListBalancesQuery extends AccountFilterQuery {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'The list as it was at this moment. Accounts, their names and types are today’s. Not with `cursor`.',
  })
  @IsOptional()
  @Matches(MOMENT, { message: 'as_of must be a moment (YYYY-MM-DDThh:mm:ssZ)' })
  as_of?: string;
}
