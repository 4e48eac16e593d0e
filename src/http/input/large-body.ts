import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

/** Refuses a body by its announced length. The parsers would read all of it before they answer. */
export function refuseLargeBody({ headers }: Request, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) <= maxBytes) return;
  throw new ApiError('payload_too_large', 'The body is larger than this service accepts.');
}
