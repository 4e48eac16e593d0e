import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiError } from '../api/api-error.js';
import { Authenticator } from './authenticator.js';
import { rememberCaller } from './caller.js';
import { REQUIRED_SCOPE, type Scope } from './scopes.js';

/** Lets a request in whose `X-Api-Key` is valid (else 401) and has the route's scope (else 403), if it has one. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authenticator.authenticate(request.get('x-api-key')?.trim() ?? '');
    if (!caller) {
      throw new ApiError('unauthorized', 'Send a valid API key in the X-Api-Key header.', {
        headers: { 'WWW-Authenticate': 'ApiKey realm="tidemark", header="X-Api-Key"' },
      });
    }
    const scope = this.reflector.get<Scope | undefined>(REQUIRED_SCOPE, context.getHandler());
    if (scope && !caller.scopes.includes(scope)) {
      throw new ApiError('insufficient_scope', `This API key lacks the scope ${scope}.`);
    }
    rememberCaller(request, caller);
    return true;
  }
}
