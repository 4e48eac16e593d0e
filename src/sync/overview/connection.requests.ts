import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { NewName, OwnName } from '../../http/input/new-name.js';
import { IfGiven } from '../../http/input/validators.js';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from '../connections/connection.entity.js';

/** What all providers need; `provider-requests.service.ts` adds the secret of each. */
export class ConnectRequest {
  @ApiProperty({ example: 'us_provider' })
  @Allow()
  provider: string;

  @OwnName('My banks')
  name?: string | null;

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

export class EditConnectionRequest {
  @NewName('My banks')
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

/** A new credential; `provider-requests.service.ts` adds the member of each provider. */
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
