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

/** Adds the `Link` header to an answer that is a page of a list. */
@Injectable()
class PageLinksInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(tap((answer) => setPageLinks(http.getRequest<Request>(), http.getResponse<Response>(), answer)));
  }
}

/** For a route that answers with pages, without `@ConditionalGet()`, which adds the links, too. */
export const PageLinks = (): MethodDecorator => UseInterceptors(PageLinksInterceptor);

export function setPageLinks(request: Request, response: Response, answer: unknown): void {
  const links = linksOf(request.originalUrl, answer ?? {});
  if (links) response.set('Link', links);
}

function linksOf(url: string, { pagination, next_cursor: nextCursor }: Page): string | null {
  if (nextCursor !== undefined) return cursorLinks(url, nextCursor);
  return pagination ? pageLinks(url, pagination) : null;
}
