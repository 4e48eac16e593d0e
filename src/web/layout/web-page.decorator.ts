import { applyDecorators, Controller, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { GuardedBy } from '../../auth/access.js';
import { PUBLIC_PAGE, PageGuard } from './page.guard.js';
import { PageInterceptor } from './page.interceptor.js';

/** A controller of pages: its handlers return JSX, and only people who have signed in see them. */
export function WebPage(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    ApiExcludeController(),
    GuardedBy(PageGuard),
    UseInterceptors(PageInterceptor),
  );
}

/** The same for everybody. */
export function PublicPage(path: string): ClassDecorator {
  return applyDecorators(WebPage(path), SetMetadata(PUBLIC_PAGE, true));
}
