import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, MaxLength, Min } from 'class-validator';
import { CHANGE_KINDS, type ChangeKind } from '../../database/change-log/change.js';
import { choices } from '../../http/input/filter-parameters.js';

const MAX_CURSOR_CHARS = 500;
const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 500;

/** In place of a cursor: start from now. */
export const LATEST = 'latest';

export class ChangeFeedQuery {
  @ApiPropertyOptional({
    maxLength: MAX_CURSOR_CHARS,
    description:
      'The `cursor` of the last answer. Without one: all records, then changes. `latest`: no records, ' +
      'only a cursor.',
  })
  @IsOptional()
  @MaxLength(MAX_CURSOR_CHARS, { message: 'cursor must be one that this route returned, or `latest`' })
  cursor?: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: CHANGE_KINDS },
    description: `Only these, with commas between them. Without it: all that the key may read. Use the same ones for the life of a copy.`,
  })
  @IsOptional()
  @Transform(choices)
  @IsIn(CHANGE_KINDS, { each: true, message: () => `types must be a list of ${CHANGE_KINDS.join(', ')}` })
  types?: ChangeKind[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Maximum number of records in an answer. The holdings of one account are never split.',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  )
  @IsInt({ message: `limit must be a number from 1 to ${MAX_LIMIT}` })
  @Min(1, { message: `limit must be a number from 1 to ${MAX_LIMIT}` })
  @Max(MAX_LIMIT, { message: `limit must be a number from 1 to ${MAX_LIMIT}` })
  limit: number = DEFAULT_LIMIT;
}
