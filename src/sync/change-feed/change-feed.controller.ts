import { type CanActivate, Controller, type ExecutionContext, Get, Injectable, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { byHandler, LimitsAccounts } from '../../auth/account-limits.guard.js';
import { RequireApiKey } from '../../auth/require-scope.decorator.js';
import { CHANGE_KINDS, type ChangeKind, scopeOfKind } from '../../database/change-log/change.js';
import { type Caller, callerOf, CurrentCaller } from '../../http/caller.js';
import { ApiError } from '../../http/errors/api-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { choicesOf } from '../../http/input/given.js';
import { ChangeFeedQuery } from './change-feed.query.js';
import { ChangeCollection } from './change-feed.response.js';
import { ChangeFeedService } from './change-feed.service.js';

/** Refuses before anything else of the request is looked at, as the guard of a route with one scope does. */
@Injectable()
class ChangeScopesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { types } = request.query;
    const asked = typeof types === 'string' ? choicesOf(types) : [];
    const known = CHANGE_KINDS.filter((kind) => asked.includes(kind));
    return kindsFor(callerOf(request).scopes, known).length > 0;
  }
}

@ApiTags('Changes')
@Controller('api/v1/changes')
export class ChangeFeedController {
  constructor(private readonly feed: ChangeFeedService) {}

  @Get()
  @UseGuards(ChangeScopesGuard)
  @LimitsAccounts(byHandler)
  @RequireApiKey()
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'Keep a copy up to date',
    description: `
Begin with an empty copy and without a cursor, and send the \`cursor\` of each answer with the next request: at once while
\`has_more\`, later at any time, or when \`GET /api/v1/events\` reports changes. Each part says what to replace in the copy;
records that it covers and does not list are deleted. Replacing a part twice is harmless. When \`has_more\` is false, the
copy equals the lists at one moment. Values between two requests are skipped. What only time changes, such as how stale a
connection is and how many requests it has left, is not reported.

A key reads the types it has the scope for: \`balances:read\`, and so on; \`connections:read\` for syncs.
`.trim(),
  })
  @ApiResponse({ status: 200, description: 'What has changed.', type: ChangeCollection })
  @ApiResponse({
    status: 403,
    description: 'The API key lacks the scope of this route, or is limited to accounts.',
    type: ErrorResponse,
  })
  @ApiResponse({
    status: 410,
    description:
      'The cursor is too old, or from before the database was restored: start again with an empty copy and ' +
      'without a cursor.',
    type: ErrorResponse,
  })
  list(
    @CurrentCaller() { userId, scopes, accountIds }: Caller,
    @Query() { cursor, types, limit }: ChangeFeedQuery,
  ): Promise<ChangeCollection> {
    return this.feed.read({ userId, accountIds, cursor: cursor ?? null, limit, kinds: kindsFor(scopes, types) });
  }
}

/** @throws ApiError `insufficient_scope` when the key may not read a type that is asked for, or none at all */
function kindsFor(scopes: readonly string[], asked: readonly ChangeKind[] = []): ChangeKind[] {
  const lacking = asked.find((kind) => !scopes.includes(scopeOfKind(kind)));
  if (lacking) throw new ApiError('insufficient_scope', `This API key lacks the scope ${scopeOfKind(lacking)}.`);
  const kinds = (asked.length > 0 ? asked : CHANGE_KINDS).filter((kind) => scopes.includes(scopeOfKind(kind)));
  if (kinds.length === 0)
    throw new ApiError('insufficient_scope', 'This API key lacks every scope that reads records.');
  return [...new Set(kinds)];
}
