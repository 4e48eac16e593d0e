import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { NIL_UUID } from '../database/nil-uuid.js';
import { recordNotFound } from '../platform/domain-error.js';
import { callerOf } from '../http/caller.js';
import { ApiError } from '../http/errors/api-error.js';
import { replaceQuery } from '../http/input/query-parameters.guard.js';
import { isUuid } from '../http/input/validators.js';

const ACCOUNT_LIMITS = 'tidemark:account-limits';

/** Keeps a request of a limited key to the accounts of the key. @throws DomainError `record_not_found` */
type AccountLimit = (request: Request, accountIds: readonly string[]) => void;

/** Declares how a route limits such keys to their accounts. A route without it refuses them. */
export const LimitsAccounts = (...limits: AccountLimit[]) => SetMetadata(ACCOUNT_LIMITS, limits);

/** The list answers as if its parameter `account_id` named the accounts of the key, or those of them it does name. */
export const byFilter: AccountLimit = (request, accountIds) => {
  replaceQuery(request, limitFilter(request.query, accountIds));
};

/** The path names the account. */
export function byPath(name: string): AccountLimit {
  return (request, accountIds) => refuseOther(request.params[name], accountIds);
}

/** The body names an account, too. */
export function byBody(name: string): AccountLimit {
  return ({ body }, accountIds) => refuseOther((body as Record<string, unknown> | undefined)?.[name], accountIds);
}

/** The handler itself leaves out what is not of the caller's accounts. */
export const byHandler: AccountLimit = () => undefined;

/** The parameters of a list, limited to accounts. Texts that are no ids stay, so that validation refuses them. */
export function limitFilter<Parameters extends object>(parameters: Parameters, accountIds: readonly string[]) {
  const { account_id: asked } = parameters as { account_id?: unknown };
  if (asked === undefined || (typeof asked === 'string' && asked.trim() === '')) {
    return { ...parameters, account_id: accountIds.join(',') };
  }
  if (typeof asked !== 'string') return { ...parameters, account_id: asked };
  const kept = asked.split(',').filter((text) => !isUuid(text.trim()) || isAmong(text.trim(), accountIds));
  return { ...parameters, account_id: kept.join(',') || NIL_UUID };
}

/** Whether the caller may see the records of an account. */
export function maySee({ accountIds }: { accountIds: readonly string[] | null }, accountId: string): boolean {
  return accountIds === null || isAmong(accountId, accountIds);
}

function isAmong(accountId: string, accountIds: readonly string[]): boolean {
  return accountIds.includes(accountId.toLowerCase());
}

/** A text that is no id is left to the route. */
function refuseOther(accountId: unknown, accountIds: readonly string[]): void {
  if (typeof accountId === 'string' && isUuid(accountId) && !isAmong(accountId, accountIds)) {
    throw recordNotFound('account');
  }
}

/** Applies the limits of a route to a key that is limited to accounts. Runs after the body is read. */
@Injectable()
export class AccountLimitsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { accountIds } = callerOf(request);
    if (accountIds === null) return true;
    const limits = this.reflector.get<readonly AccountLimit[] | undefined>(ACCOUNT_LIMITS, context.getHandler());
    if (!limits) {
      throw new ApiError('insufficient_scope', 'This API key is limited to accounts and cannot use this route.');
    }
    for (const limit of limits) limit(request, accountIds);
    return true;
  }
}
