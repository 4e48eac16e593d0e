import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';
import { isSafeMethod } from '../headers.js';

/**
 * Changes nothing on a condition that does not hold (RFC 9110, 13.1.1 and 13.1.2). `If-Match` compares tags strongly and
 * ours are weak, so no tag matches; `*` asks for any version, which the route itself looks for. `If-None-Match: *` asks
 * that there be nothing, where no route would create anything: it never holds, and no record is looked for. Its tags are
 * those of lists, which are only read. `If-Unmodified-Since` is to be ignored where answers have no `Last-Modified`, as
 * ours.
 */
@Injectable()
export class PreconditionsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (isSafeMethod(request)) return true;
    const tags = request.get('if-match');
    if (tags !== undefined && tags.trim() !== '*') {
      throw new ApiError('precondition_failed', 'If-Match matches no version, since entity tags are weak here.');
    }
    if (request.get('if-none-match')?.trim() === '*') {
      throw new ApiError('precondition_failed', 'If-None-Match: * never holds, since no request creates its address.');
    }
    return true;
  }
}
