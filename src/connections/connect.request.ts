import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from './connection.entity.js';

/** The members for all providers; `provider-request-classes.ts` adds the secret of each. */
export class ConnectRequest {
  @ApiProperty({ example: 'us_provider' })
  @Allow()
  provider: string;

  @ApiPropertyOptional({ example: 'My banks' })
  @IsOptional()
  @IsString({ message: 'name must be a string' })
  @MaxLength(200, { message: 'name must not be longer than 200 characters' })
  name?: string;

  @ApiPropertyOptional({
    default: true,
    description:
      'Whether pending transactions are imported. Ignored where the service decides it for all ' +
      'connections of the provider.',
  })
  @IsBoolean({ message: 'include_pending must be true or false' })
  include_pending: boolean = true;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_HISTORY_DAYS,
    default: DEFAULT_HISTORY_DAYS,
    description: 'How many days of history the first sync asks for; banks often have fewer.',
  })
  @IsInt({ message: 'history_days must be a whole number' })
  @Min(1, { message: 'history_days must be at least 1' })
  @Max(MAX_HISTORY_DAYS, { message: `history_days must be at most ${MAX_HISTORY_DAYS}` })
  history_days: number = DEFAULT_HISTORY_DAYS;
}
