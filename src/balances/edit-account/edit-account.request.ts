import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { IfGiven, Trimmed } from '../../http/input/validators.js';
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
}
