import type { Application, Request, Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import { formToken } from '../../auth/form-token.js';
import { ConnectionHealthQueries, type UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import { DEFAULT_PREFERENCES } from '../../auth/preferences.js';
import { basePathOf, publicAddress } from '../../http/public-address.js';
import { type FieldErrors, PageContext, type PageRequest, type RefusedForm } from '../components/page-context.js';
import { withNumberFormat } from '../components/money.js';
import { sessionOf } from '../../auth/page-session.js';
import type { PageReply } from './page-reply.js';

/** Renders a page or a part of one, and sets its headers. */
export function renderPage(
  page: VNode,
  request: Request,
  response: Response,
  unhealthy: readonly UnhealthyConnection[] = [],
  errors?: FieldErrors,
): string {
  const session = sessionOf(request);
  const context = {
    session,
    formToken: session && formToken(session.token),
    refused: errors ? refusedForm(request, errors) : null,
    unhealthy,
    path: request.baseUrl + request.path,
    origin: publicAddress(request),
    ...shownOf(request),
  };
  const { numberFormat } = session?.preferences ?? DEFAULT_PREFERENCES;
  const rendered = withNumberFormat(numberFormat, () =>
    renderToString(<PageContext.Provider value={context}>{page}</PageContext.Provider>),
  );
  // Quotes are escaped in texts, so that only attributes match.
  const html = rendered.replaceAll(/ (href|src|action|hx-get|data-href)="(?=\/)/g, `$&${basePathOf(request)}`);
  // Neither browsers nor proxies may store personal data.
  response.set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  return html.startsWith('<html') ? `<!doctype html>${html}` : html;
}

function refusedForm(request: Request, errors: FieldErrors): RefusedForm {
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries((request.body ?? {}) as Record<string, unknown>)) {
    for (const text of [values].flat()) if (typeof text === 'string') fields.append(name, text);
  }
  return { action: request.baseUrl + request.path, fields, errors };
}

const SHOWN = 'shown';

/** What every page of an installation shows. */
type Shown = Pick<PageRequest, 'sourceUrl' | 'links'>;

/** Stores it on the application, because the error filter renders pages without dependency injection. */
export function setShown(app: Application, shown: Shown): void {
  app.locals[SHOWN] = shown;
}

function shownOf({ app }: Request): Shown {
  return (app.locals[SHOWN] as Shown | undefined) ?? { sourceUrl: null, links: [] };
}

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
