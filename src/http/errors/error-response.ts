import { ApiPropertyOptional } from '@nestjs/swagger';
import { Text, Texts } from '../members.js';
import type { ApiError } from './api-error.js';

/** The body of every error. */
export class ErrorResponse {
  @Text({ example: 'validation_failed', description: 'The kind of error, for programs.' })
  error: string;

  @Text({
    required: false,
    nullable: true,
    example: 'start_date must be a date (YYYY-MM-DD)',
    description: 'What is wrong, for people.',
  })
  message?: string | null;

  @ApiPropertyOptional({
    // OpenAPI 3.0 allows `nullable` only beside a type.
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: true, nullable: true },
    ],
    description: 'More about the error where there is more to say.',
  })
  details?: string[] | Record<string, unknown> | null;

  @Texts({
    required: false,
    nullable: true,
    example: ['start_date must be a date (YYYY-MM-DD)'],
    description: "The validation messages, each beginning with the parameter's name.",
  })
  errors?: string[] | null;
}

export function toErrorResponse({ code, message, parts }: ApiError): ErrorResponse {
  return {
    error: code,
    message,
    ...(parts.details && { details: parts.details }),
    ...(parts.errors && { errors: parts.errors }),
  };
}
