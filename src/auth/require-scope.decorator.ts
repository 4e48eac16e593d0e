import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { ErrorResponse } from '../http/errors/error-response.js';
import { JsonBodyGuard } from '../http/input/json-body.guard.js';
import { MediaTypeGuard } from '../http/export/media-type.js';
import { GuardedBy } from './access.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { REQUIRED_SCOPE, type Scope } from './scopes.js';

/** The name of the security scheme in the OpenAPI document. */
export const API_KEY_SCHEME = 'apiKey';

/** All a route needs to be guarded and documented as guarded. */
export function RequireScope(scope: Scope): MethodDecorator {
  return applyDecorators(
    SetMetadata(REQUIRED_SCOPE, scope),
    RequireApiKey(),
    ApiResponse({ status: 403, description: `The API key lacks the scope \`${scope}\`.`, type: ErrorResponse }),
  );
}

/** For a route that any valid key may use. */
export function RequireApiKey(): MethodDecorator {
  return applyDecorators(
    GuardedBy(ApiKeyGuard),
    UseGuards(MediaTypeGuard, JsonBodyGuard),
    ApiSecurity(API_KEY_SCHEME),
    ApiResponse({ status: 401, description: 'No API key, or not a valid one.', type: ErrorResponse }),
  );
}
