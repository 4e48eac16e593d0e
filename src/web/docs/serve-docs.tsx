import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { SessionsService } from '../../auth/sessions.service.js';
import { type ExampleIds, ExampleIdsQueries } from '../../sync/overview/example-ids.queries.js';
import { originOf } from '../layout/origin.js';
import { rememberSession, sessionOf } from '../layout/page-session.js';
import { renderPage } from '../layout/render-page.js';
import { sessionTokenOf } from '../layout/session-cookie.js';
import { DocsPage, type ListedTag } from './docs.page.js';

const PAGE = '/docs';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Of the person who looks; none where nobody is signed in. */
export function ownExampleIds({ locals }: Response): ExampleIds | null {
  return (locals.exampleIds as ExampleIds | undefined) ?? null;
}

/**
 * Serves the page in front of Swagger UI, and finds out whose records its examples may name. It is no controller, since
 * `SwaggerModule` takes the paths under it before any controller does.
 */
export function serveDocs(app: NestExpressApplication, documentOf: () => OpenAPIObject): void {
  let tags: ListedTag[] | null = null;
  app.use(PAGE, (request: Request, response: Response, next: NextFunction) => {
    void findPerson(app, request, response)
      .then(() => {
        if (request.path !== '/' || request.method !== 'GET') return next();
        tags ??= tagsOf(documentOf());
        response.send(renderPage(<DocsPage tags={tags} origin={originOf(request)} />, request, response));
      })
      .catch(next);
  });
}

async function findPerson(app: NestExpressApplication, request: Request, response: Response): Promise<void> {
  const token = sessionTokenOf(request);
  const session = token === null ? null : await app.get(SessionsService, { strict: false }).find(token);
  if (!session) return;
  rememberSession(request, session);
  const ids = await app.get(ExampleIdsQueries, { strict: false }).find(session.userId);
  response.locals.exampleIds = ids;
  // What names somebody's records is kept by nobody.
  if (sessionOf(request)) response.set('Cache-Control', 'no-store');
}

function tagsOf({ tags = [], paths }: OpenAPIObject): ListedTag[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const { operationId: id = '', summary = '', tags: [tag] = [] } = operation;
      return [{ tag, id, method: method.toUpperCase(), path, summary }];
    }),
  );
  return tags.map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }));
}
