import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Request } from 'express';
import { type ApiError, ERRORS } from './api-error.js';

/** The body of every error. */
export class ErrorResponse {
  @ApiProperty({ example: 'validation_failed', description: 'The kind of error, for programs.' })
  error: string;

  @ApiPropertyOptional({
    type: String,
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

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: ['start_date must be a date (YYYY-MM-DD)'],
    description: "All validation messages, each beginning with the parameter's name.",
  })
  errors?: string[] | null;
}

/** The same error as problem details (RFC 9457), for clients that name `application/problem+json` in `Accept`. */
export class ProblemResponse extends ErrorResponse {
  @ApiProperty({ format: 'uri', example: 'urn:tidemark:error:validation_failed' })
  type: string;

  @ApiProperty({ example: 'Parameters or members of the body are invalid; `errors` lists all of them.' })
  title: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, example: 422 })
  status: number;

  @ApiProperty({ example: 'start_date must be a date (YYYY-MM-DD)' })
  detail: string;

  @ApiProperty({ example: '/api/v1/balances', description: 'The path that was asked for.' })
  instance: string;
}

export const PROBLEM_TYPE = 'application/problem+json';

export function toErrorResponse({ code, message, parts }: ApiError): ErrorResponse {
  return {
    error: code,
    message,
    ...(parts.details && { details: parts.details }),
    ...(parts.errors && { errors: parts.errors }),
  };
}

/** The same error as RFC 9457 defines it: its five members, and ours as extensions. */
function toProblemResponse(error: ApiError, path: string): ProblemResponse {
  const { status, title } = ERRORS[error.code];
  return {
    type: `urn:tidemark:error:${error.code}`,
    title,
    status,
    detail: error.message,
    instance: path,
    ...toErrorResponse(error),
  };
}

/** The body of an error and its media type. */
export function errorAnswer(error: ApiError, request: Request): { type: string; body: ErrorResponse } {
  if (prefersProblem(request.get('accept') ?? ''))
    return { type: PROBLEM_TYPE, body: toProblemResponse(error, request.path) };
  return { type: 'application/json', body: toErrorResponse(error) };
}

/**
 * Only clients that name problem details in `Accept` get them, a wildcard is not enough. Of two forms that are equally
 * welcome they are the better one; Express would take the first in the header.
 */
function prefersProblem(accept: string): boolean {
  const qualities = new Map(accept.toLowerCase().split(',').map(qualityOf));
  const problem = qualities.get(PROBLEM_TYPE) ?? 0;
  const json = ['application/json', 'application/*', '*/*'].find((range) => qualities.has(range)) ?? '';
  return problem > 0 && problem >= (qualities.get(json) ?? 0);
}

function qualityOf(range: string): [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, quality === undefined ? 1 : Number(quality.slice(2))];
}
