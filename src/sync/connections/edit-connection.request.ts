import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { IfGiven, Trimmed } from '../../api/validators.js';

export class EditConnectionRequest {
  @ApiPropertyOptional({ example: 'My banks', minLength: 1, maxLength: 200 })
  @IfGiven()
  @Trimmed()
  @IsString({ message: 'name must be a string' })
  @Length(1, 200, { message: 'name must have 1 to 200 characters' })
  name?: string;

  @ApiPropertyOptional({
    description:
      'Whether transactions that are not booked yet are imported. Switched off, those that are there go at once; ' +
      'switched on, they come with the next sync.',
  })
  @IfGiven()
  @IsBoolean({ message: 'include_pending must be true or false' })
  include_pending?: boolean;
}

/** The one that belongs to the connection's provider. */
export class ReplaceCredentialsRequest {
  @ApiPropertyOptional({
    example: 'aHR0cHM6Ly9icmlkZ2UuZXhhbXBsZS9zaW1wbGVmaW4vY2xhaW0vb25lLXRpbWU=',
    description: 'For the US provider: a new setup token. It can be used once.',
  })
  @IsOptional()
  @IsString({ message: 'setup_token must be a string' })
  @MaxLength(4096, { message: 'setup_token must not be longer than 4096 characters' })
  setup_token?: string;

  @ApiPropertyOptional({ description: 'For the global provider: an API key.' })
  @IsOptional()
  @IsString({ message: 'api_key must be a string' })
  @MaxLength(4096, { message: 'api_key must not be longer than 4096 characters' })
  api_key?: string;
}

export const REMOVE_CONNECTION_PARAMETERS = ['purge'] as const;

export class RemoveConnectionQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: '`true`: its accounts and their history go, too.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'purge must be true or false' })
  purge?: 'true' | 'false';
}
