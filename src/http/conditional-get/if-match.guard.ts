import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Changes nothing on a condition that does not hold (RFC 9110, 13.1.1). `If-Match` compares tags strongly and ours are
 * weak, so no tag matches; `*` asks for any version, which the route itself looks for. `If-Unmodified-Since` is to be
 * ignored where answers have no `Last-Modified`, as ours.
 */
@Injectable()
export class IfMatchGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const tags = request.get('if-match');
    if (tags === undefined || tags.trim() === '*' || READING.has(request.method)) return true;
    throw new ApiError('precondition_failed', 'If-Match matches no version, since entity tags are weak here.');
  }
}
