import {
  applyDecorators,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { GuardedBy } from '../../auth/access.guard.js';
import type { Session } from '../../auth/sessions.service.js';
import { PUBLIC_PAGE, PageGuard } from './page.guard.js';
import { PageInterceptor } from './page.interceptor.js';
import { sessionOf } from './page-session.js';

/** A controller of pages for signed-in people; its handlers return JSX. */
export function WebPage(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    ApiExcludeController(),
    GuardedBy(PageGuard),
    UseInterceptors(PageInterceptor),
  );
}

/** A controller of pages for everybody. */
export function PublicPage(path: string): ClassDecorator {
  return applyDecorators(WebPage(path), SetMetadata(PUBLIC_PAGE, true));
}

/** Parameter decorator: the session of a signed-in person. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const session = sessionOf(context.switchToHttp().getRequest<Request>());
  if (!session) throw new Error('a public page asks for a session');
  return session;
});
