import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { IfGiven, Trimmed } from './validators.js';

/** Of an account or a connection. */
export const MAX_NAME_CHARS = 200;
const NO_TEXT = { message: 'name must be a string' };

/** The member of a request that names a new record; absent, `null` or empty: the record gets a name by itself. */
export function OwnName(example: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, example, maxLength: MAX_NAME_CHARS }),
    IsOptional(),
    IsString(NO_TEXT),
    MaxLength(MAX_NAME_CHARS, { message: `name must not be longer than ${MAX_NAME_CHARS} characters` }),
  );
}

/** The member of a request that renames a record; absent: the name stays. */
export function NewName(example: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ example, minLength: 1, maxLength: MAX_NAME_CHARS }),
    IfGiven(),
    Trimmed(),
    IsString(NO_TEXT),
    Length(1, MAX_NAME_CHARS, { message: `name must have 1 to ${MAX_NAME_CHARS} characters` }),
  );
}
