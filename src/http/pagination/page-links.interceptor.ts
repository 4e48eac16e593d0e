import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import type { Pagination } from './page.js';
import { cursorLinks, pageLinks } from './page-links.js';

interface Page {
  pagination?: Pagination;
  next_cursor?: string | null;
}

/** Gives an answer that is a page of a list its `Link` header. */
@Injectable()
export class PageLinksInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap((answer: Page | undefined) => {
        const http = context.switchToHttp();
        const links = linksOf(http.getRequest<Request>().originalUrl, answer ?? {});
        if (links) http.getResponse<Response>().set('Link', links);
      }),
    );
  }
}

/** For a route that answers with pages. */
export const PageLinks = (): MethodDecorator => UseInterceptors(PageLinksInterceptor);

function linksOf(url: string, { pagination, next_cursor: nextCursor }: Page): string | null {
  if (nextCursor !== undefined) return cursorLinks(url, nextCursor);
  return pagination ? pageLinks(url, pagination) : null;
}
