import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, MaxLength } from 'class-validator';
import { AccountFilterQuery } from '../account-filter.query.js';

export const MAX_SEARCH_CHARS = 100;

export class ListTransactionsQuery extends AccountFilterQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'Only pending transactions, or only posted ones.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsIn([true, false], { message: 'pending must be true or false' })
  pending?: boolean;

  @ApiPropertyOptional({
    maxLength: MAX_SEARCH_CHARS,
    description: 'Only transactions whose description or merchant has all of these words, in upper or lower case.',
  })
  @IsOptional()
  @MaxLength(MAX_SEARCH_CHARS, { message: `search must not be longer than ${MAX_SEARCH_CHARS} characters` })
  search?: string;
}
