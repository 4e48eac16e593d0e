import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { PageReply } from './page-reply.js';
import { renderPage } from './render-page.js';

/** Turns what a page's handler returned into the answer. */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageReply, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<PageReply>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(map((reply) => answer(reply, request, response)));
  }
}

function answer(reply: PageReply, request: Request, response: Response): unknown {
  if (reply instanceof StreamableFile) return reply;
  if ('redirectTo' in reply) {
    response.status(303).location(reply.redirectTo);
    return '';
  }
  const { page, status } = 'page' in reply ? reply : { page: reply, status: 200 };
  response.status(status);
  return renderPage(page, request, response);
}
