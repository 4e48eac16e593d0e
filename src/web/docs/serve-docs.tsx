import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { SessionsService } from '../../auth/sessions.service.js';
import { type ExampleIds, ExampleIdsQueries } from '../../sync/overview/example-ids.queries.js';
import { rememberSession, sessionTokenOf } from '../layout/page-session.js';
import { renderPage } from '../layout/render-page.js';
import { DocsPage, type ListedTag } from './docs.page.js';

const PAGE = '/docs';

/** Of the person who looks; none where nobody is signed in. */
export function ownExampleIds({ locals }: Response): ExampleIds | null {
  return (locals.exampleIds as ExampleIds | undefined) ?? null;
}

/**
 * Serves the page in front of Swagger UI, and finds out whose records its examples may name. It is no controller, since
 * `SwaggerModule` takes the paths under it before any controller does.
 */
export function serveDocs(app: NestExpressApplication, readTags: () => ListedTag[]): void {
  let tags: ListedTag[] | null = null;
  app.use(PAGE, (request: Request, response: Response, next: NextFunction) => {
    void rememberDocsSession(app, request, response)
      .then(() => {
        if (request.path !== '/' || request.method !== 'GET') return next();
        tags ??= readTags();
        response.send(renderPage(<DocsPage tags={tags} />, request, response));
      })
      .catch(next);
  });
}

async function rememberDocsSession(app: NestExpressApplication, request: Request, response: Response): Promise<void> {
  const token = sessionTokenOf(request);
  const session = token === null ? null : await app.get(SessionsService, { strict: false }).find(token);
  if (!session) return;
  rememberSession(request, session);
  const ids = await app.get(ExampleIdsQueries, { strict: false }).find(session.userId);
  response.locals.exampleIds = ids;
  // The page has ids of the person's records, so no cache may store it.
  response.set('Cache-Control', 'no-store');
}
