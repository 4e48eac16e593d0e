import { ApiProperty } from '@nestjs/swagger';
import type { RelinkOffer } from '../../ingest/merge/merge-suggestions.js';
import { type Staleness, STALENESS_LEVELS } from './connection-freshness.js';

export class StalenessResponse implements Staleness {
  @ApiProperty({
    enum: STALENESS_LEVELS,
    description: '`stale`: some account has not come in completely for more than two days.',
  })
  level: Staleness['level'];

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day up to which every account is known.',
  })
  since: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Which account it is about, in words.' })
  message: string | null;
}

export class RequestBudgetResponse {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 24,
    description: 'Requests in any 24 hours; `null`: the provider publishes no limit.',
  })
  limit: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 6, description: 'Requests left now.' })
  remaining: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When there is room for the requests of a sync again; `null`: now.',
  })
  next_allowed_at: string | null;
}

export class MissingAccountResponse {
  @ApiProperty({ format: 'uuid' })
  account_id: string;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;
}

export class RelinkOfferResponse {
  @ApiProperty({ format: 'uuid', description: 'The account that is gone.' })
  account_id: string;

  @ApiProperty({ format: 'uuid', description: 'The one that came and looks like it.' })
  same_as_account_id: string;

  @ApiProperty({ description: 'For a person.' })
  message: string;
}

export function toRelinkOfferResponse({ gone, here }: RelinkOffer): RelinkOfferResponse {
  return {
    account_id: gone.id,
    same_as_account_id: here.id,
    message:
      `“${gone.name}” is not synced any more, and “${here.name}” has come with the same name or kind, bank and ` +
      'currency. If they are one account, relink them, and its history continues; if not, keep them apart.',
  };
}
