import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Request, RequestHandler, Response } from 'express';
import { sessionTokenOf } from '../../auth/page-session.js';
import { SessionsService } from '../../auth/sessions.service.js';
import { isSafeMethod } from '../../http/headers.js';
import type { Config } from '../../platform/config/config.js';
import { DemoCredentials } from '../../providers/demo-credentials.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { ExampleIdsQueries } from '../../sync/overview/example-ids.queries.js';
import { openApiDocument } from './document.js';
import { demoMembers, withOwnExamples } from './own-examples.js';

/** As routes: in any case, and with a slash at the end or without. */
const DOCUMENT = /^\/(openapi\.json|openapi\.yaml|docs\/(?:docs\/)?swagger-ui-init\.js)\/?$/i;

/** Swagger UI and the document. Its examples name records of whoever is signed in, so that executing them finds some. */
export function serveDocument(
  app: NestExpressApplication,
  { sandbox, providers }: Config<ProviderDescriptor>,
  demoUserId: () => string | null,
): void {
  const demo = sandbox ? app.get(DemoCredentials, { strict: false }) : null;
  const descriptors = providers.map(({ descriptor }) => descriptor);
  const findPerson: RequestHandler = async (request, response, next) => {
    response.locals.examplesOf = (await personOf(app, request)) ?? demoUserId();
    next();
  };
  // The demo's examples have fresh secrets, which work once.
  const share = shareDocuments(({ locals }) => !demo && locals.examplesOf === null);
  app.use(['/openapi.json', '/openapi.yaml', '/docs'], findPerson, share);
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    patchDocumentOnRequest: async (request, response, document) => {
      const { locals } = (response as Response).set('Cache-Control', 'no-store');
      const userId = locals.examplesOf as string | null;
      const ids = userId === null ? null : await app.get(ExampleIdsQueries, { strict: false }).find(userId);
      if (!ids && !demo) return document;
      // The sandbox runs in this process, whatever host the client uses.
      const origin = `http://127.0.0.1:${(request as Request).socket.localPort}`;
      return withOwnExamples(document, ids, demo ? demoMembers(demo, descriptors, origin) : {});
    },
    customSiteTitle: 'Tidemark API',
    // For phones. No operation has links to others, and the table of errors is scrolled by itself.
    customCss: '.response-col_links { display: none } .renderedMarkdown table { display: block; overflow-x: auto }',
    // The next person in this browser would use a key that is kept.
    swaggerOptions: { persistAuthorization: false, tryItOutEnabled: true },
  });
}

/** Whose session a request has; `null`: nobody's. */
async function personOf(app: NestExpressApplication, request: Request): Promise<string | null> {
  const token = sessionTokenOf(request);
  const session = token === null ? null : await app.get(SessionsService, { strict: false }).find(token);
  return session?.userId ?? null;
}

/**
 * Makes the text of each document once for all who get the same: in YAML it costs 30 ms of processor time, and strangers
 * may ask for it.
 *
 * @param isShared whether an answer is the same for everybody
 */
export function shareDocuments(isShared: (response: Response) => boolean): RequestHandler {
  const shared = new Map<string, { type: string; text: string }>();
  return (request, response, next) => {
    const name = DOCUMENT.exec(request.baseUrl + request.path)?.[1]!.toLowerCase();
    if (!name || !isSafeMethod(request) || !isShared(response)) return next();
    response.set('Cache-Control', 'no-store');
    const known = shared.get(name);
    if (known) return void response.type(known.type).send(known.text);
    const send = response.send.bind(response);
    response.send = (text: unknown) => {
      response.send = send;
      const type = response.get('Content-Type');
      // An error is sent in the same way.
      if (response.statusCode === 200 && type && typeof text === 'string') shared.set(name, { type, text });
      return send(text);
    };
    next();
  };
}
