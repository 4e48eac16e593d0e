import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ApiError, unauthorized } from '../http/errors/api-error.js';
import { ApiKeyAuthenticationService } from './api-key-authentication.service.js';
import { rememberCaller } from '../http/caller.js';
import { RequestLimiterService } from './request-limiter.service.js';
import { REQUIRED_SCOPE, type Scope } from './scopes.js';

/**
 * Requires a valid `X-Api-Key` (else 401) that is within its rate limit (else 429) and has the scope of the route (else
 * 403).
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly authenticator: ApiKeyAuthenticationService,
    private readonly requestLimiter: RequestLimiterService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authenticator.authenticate(request.get('x-api-key')?.trim() ?? '');
    if (!caller) {
      this.requestLimiter.countNetwork(request);
      throw unauthorized('Send a valid API key in the X-Api-Key header.');
    }
    this.requestLimiter.countKey(caller.apiKeyId, context.switchToHttp().getResponse<Response>());
    const scope = this.reflector.get<Scope | undefined>(REQUIRED_SCOPE, context.getHandler());
    if (scope && !caller.scopes.includes(scope)) {
      throw new ApiError('insufficient_scope', `This API key lacks the scope ${scope}.`);
    }
    rememberCaller(request, caller);
    return true;
  }
}
