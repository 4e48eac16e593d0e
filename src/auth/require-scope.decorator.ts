import { applyDecorators, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { PreconditionsGuard } from '../http/conditional-get/preconditions.guard.js';
import { TakesIdempotencyKey } from '../http/idempotency/idempotency.interceptor.js';
import { JsonBodyGuard } from '../http/input/json-body.guard.js';
import { LocationInterceptor } from '../http/location.interceptor.js';
import { MediaTypeGuard } from '../http/export/media-type.guard.js';
import { TakesParameters, QueryParametersGuard } from '../http/input/query-parameters.guard.js';
import { GuardedBy } from './access.guard.js';
import { AccountLimitsGuard } from './account-limits.guard.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { isWriteScope, REQUIRED_SCOPE, type Scope } from './scopes.js';

/** The name of the security scheme in the OpenAPI document. */
export const API_KEY_SCHEME = 'apiKey';

/** The extension of an operation that keeps its scope until the document is completed. */
export const REQUIRED_SCOPE_EXTENSION = 'x-required-scope';

/** Guards a route and documents it as guarded. A POST or PUT that writes is executed once for each `Idempotency-Key`. */
export function RequireScope(scope: Scope): MethodDecorator {
  return applyDecorators(
    SetMetadata(REQUIRED_SCOPE, scope),
    RequireApiKey(),
    // A route that reads is no POST, and an interceptor takes its time even where it does nothing.
    ...(isWriteScope(scope) ? [UseInterceptors(LocationInterceptor), TakesIdempotencyKey()] : []),
    ApiExtension(REQUIRED_SCOPE_EXTENSION, scope),
  );
}

/** For a route that any valid key may use. A POST says itself whether it is executed once for each `Idempotency-Key`. */
export function RequireApiKey(): MethodDecorator {
  return applyDecorators(
    GuardedBy(ApiKeyGuard),
    TakesParameters,
    UseGuards(MediaTypeGuard, JsonBodyGuard, QueryParametersGuard, AccountLimitsGuard, PreconditionsGuard),
    ApiSecurity(API_KEY_SCHEME),
  );
}
