import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from './connection.entity.js';

export const PROVIDER_NAMES = ['us_provider', 'global_provider'] as const;

export class ConnectRequest {
  @ApiProperty({ enum: PROVIDER_NAMES, example: 'us_provider' })
  @IsIn(PROVIDER_NAMES, { message: `provider must be one of: ${PROVIDER_NAMES.join(', ')}` })
  provider: (typeof PROVIDER_NAMES)[number];

  @ApiPropertyOptional({
    example: 'aHR0cHM6Ly9icmlkZ2UuZXhhbXBsZS9zaW1wbGVmaW4vY2xhaW0vb25lLXRpbWU=',
    description: 'For the US provider: the setup token it gave you. It can be used once.',
  })
  @ValidateIf((request: ConnectRequest) => request.provider === 'us_provider')
  @IsString({ message: 'setup_token must be a string' })
  @MaxLength(4096, { message: 'setup_token must not be longer than 4096 characters' })
  @IsNotEmpty({ message: 'setup_token must not be empty' })
  setup_token?: string;

  @ApiPropertyOptional({
    example: 'the-key-as-the-provider-shows-it',
    description: 'For the global provider: the API key it gave you.',
  })
  @ValidateIf((request: ConnectRequest) => request.provider === 'global_provider')
  @IsString({ message: 'api_key must be a string' })
  @MaxLength(4096, { message: 'api_key must not be longer than 4096 characters' })
  @IsNotEmpty({ message: 'api_key must not be empty' })
  api_key?: string;

  @ApiPropertyOptional({
    example: 'My banks',
    description: 'How you want to call it. Left out: “US banks” or “Banks worldwide”, numbered from the second on.',
  })
  @IsOptional()
  @IsString({ message: 'name must be a string' })
  @MaxLength(200, { message: 'name must not be longer than 200 characters' })
  name?: string;

  @ApiPropertyOptional({
    default: true,
    description:
      'Whether transactions that are not booked yet are imported. For the global provider the service decides: ' +
      'GLOBALPROVIDER_INCLUDE_PENDING.',
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
