import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { AccountFilterQuery, ACCOUNT_FILTER_PARAMETERS } from '../api/account-filter.query.js';

export class ListTransactionsQuery extends AccountFilterQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'Only transactions that are not booked yet, or only booked ones.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsIn([true, false], { message: 'pending must be true or false' })
  pending?: boolean;
}

export const LIST_TRANSACTIONS_PARAMETERS = [...ACCOUNT_FILTER_PARAMETERS, 'pending'] as const;
