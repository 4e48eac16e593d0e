import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';
import { IfGiven, Trimmed } from '../../http/input/validators.js';

export class EditConnectionRequest {
  @ApiPropertyOptional({ example: 'My banks', minLength: 1, maxLength: 200 })
  @IfGiven()
  @Trimmed()
  @IsString({ message: 'name must be a string' })
  @Length(1, 200, { message: 'name must have 1 to 200 characters' })
  name?: string;

  @ApiPropertyOptional({
    description:
      'Whether pending transactions are imported. Switching it off removes the stored ones at once; ' +
      'switched on, they come with the next sync.',
  })
  @IfGiven()
  @IsBoolean({ message: 'include_pending must be true or false' })
  include_pending?: boolean;
}

/** A new secret; `provider-request-classes.ts` adds the member of each provider. */
export class ReplaceCredentialsRequest {}

export class RemoveConnectionQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: '`true`: its accounts and their history are deleted, too.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'purge must be true or false' })
  purge?: 'true' | 'false';
}
