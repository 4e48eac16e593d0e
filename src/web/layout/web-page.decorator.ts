import { applyDecorators, Controller, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { GuardedBy } from '../../auth/access.guard.js';
import { PUBLIC_PAGE, PageGuard } from './page.guard.js';
import { PageInterceptor } from './page.interceptor.js';

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
