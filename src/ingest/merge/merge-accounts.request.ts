import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { UUID } from '../../http/input/validators.js';

/** Names the account that another one is, or is not. */
export class OtherAccountRequest {
  @ApiProperty({ format: 'uuid', description: 'The account that is listed now.' })
  @Matches(UUID, { message: 'account_id must be a valid UUID' })
  account_id: string;
}
