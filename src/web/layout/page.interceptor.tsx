import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import type { PageReply } from './page-reply.js';
import { ConnectionHealthQueries, type UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import { sessionOf } from './page-session.js';
import { renderPage } from './render-page.js';

/** Renders what a page's handler returns. */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageReply, unknown> {
  constructor(private readonly health: ConnectionHealthQueries) {}

  intercept(context: ExecutionContext, next: CallHandler<PageReply>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(mergeMap((reply) => this.#answer(reply, request, response)));
  }

  async #answer(reply: PageReply, request: Request, response: Response): Promise<unknown> {
    if (reply instanceof StreamableFile) return reply;
    if ('redirectTo' in reply) {
      response.status(303).location(reply.redirectTo);
      return '';
    }
    if ('isNothingNew' in reply) {
      response.status(204).set('Cache-Control', 'no-store');
      return '';
    }
    const { page, status, unhealthy, errors } = 'page' in reply ? reply : { page: reply, status: 200 };
    response.status(status);
    return renderPage(page, request, response, unhealthy ?? (await this.#unhealthy(request)), errors);
  }

  /** For the navigation, which a part of a page does not have. */
  async #unhealthy(request: Request): Promise<UnhealthyConnection[]> {
    const session = sessionOf(request);
    if (!session || request.get('hx-request') !== undefined) return [];
    return (await this.health.read(session.userId)).unhealthy;
  }
}
