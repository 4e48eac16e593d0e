import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsString, Length, ValidateIf } from 'class-validator';
import { ACCOUNT_TYPES, type AccountType } from '../balance-engine/ledger.js';

const trimmed = ({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value);
/** Left out is no change; `null` is refused, since a name and a choice cannot be taken back. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

export class EditAccountRequest {
  @ApiPropertyOptional({ example: 'Household account', minLength: 1, maxLength: 200 })
  @IfGiven()
  @Transform(trimmed)
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
}
