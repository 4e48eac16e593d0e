import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import {
  CONDITIONAL_GET,
  ConditionalGetInterceptor,
  type ConditionalGetOptions,
} from './conditional-get.interceptor.js';
import { Revisions } from './revisions.js';

/** For a list that clients read repeatedly: its answers have an `ETag`, or 304 while nothing changed, and page links. */
export function ConditionalGet(options: Partial<ConditionalGetOptions> = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata<string, ConditionalGetOptions>(CONDITIONAL_GET, { revisions: Revisions, ...options }),
    UseInterceptors(ConditionalGetInterceptor),
    ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' }),
  );
}
