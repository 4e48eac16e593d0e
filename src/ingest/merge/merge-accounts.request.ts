import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { UUID } from '../../http/input/validators.js';

/** The other account of a merge suggestion. */
export class OtherAccountRequest {
  @ApiProperty({ format: 'uuid', description: 'The account that the provider lists now.' })
  @Matches(UUID, { message: 'account_id must be a valid UUID' })
  account_id: string;
}
