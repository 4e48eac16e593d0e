import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { IfGiven, Trimmed } from './validators.js';

/** The member of a request that renames a record; absent: the name stays. */
export function NewName(example: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ example, minLength: 1, maxLength: 200 }),
    IfGiven(),
    Trimmed(),
    IsString({ message: 'name must be a string' }),
    Length(1, 200, { message: 'name must have 1 to 200 characters' }),
  );
}
