import { ApiProperty } from '@nestjs/swagger';
import type { MergeSuggestion } from '../../accounts/duplicates/merge-suggestions.js';
import { type Staleness, STALENESS_LEVELS } from './connection-freshness.js';

export class StalenessResponse implements Staleness {
  @ApiProperty({
    enum: STALENESS_LEVELS,
    description: '`stale`: some account has been incomplete for more than two days.',
  })
  level: Staleness['level'];

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day up to which all accounts are complete.',
  })
  since: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The account that is stale, in a sentence.' })
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

export class DeletedAccountResponse {
  @ApiProperty({ format: 'uuid', description: 'The id it had.' })
  account_id: string;

  @ApiProperty({ example: 'Old Savings' })
  name: string;

  @ApiProperty({ format: 'date-time' })
  deleted_at: string;
}

export class MergeSuggestionResponse {
  @ApiProperty({ format: 'uuid', description: 'The disconnected account.' })
  account_id: string;

  @ApiProperty({ format: 'uuid', description: 'The account that is synced now and looks like it.' })
  duplicate_account_id: string;

  @ApiProperty({
    description: 'For a person.',
    example: '“Everyday Checking” is not synced any more, and “Checking” looks like it.',
  })
  message: string;
}

export function toMergeSuggestionResponse({ disconnected, replacement }: MergeSuggestion): MergeSuggestionResponse {
  return {
    account_id: disconnected.id,
    duplicate_account_id: replacement.id,
    message:
      `“${disconnected.name}” is disconnected, and “${replacement.name}” has the same name or type, bank and currency. ` +
      'Merge them if they are the same account, so that its history continues; otherwise keep them separate.',
  };
}
