import { constants } from 'node:zlib';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import type { RequestHandler } from 'express';
import { allowedHosts } from './http/allowed-hosts.js';
import { allowOrigins, isSafeMethod, protectAnswer } from './http/headers.js';
import { DrainService } from './http/drain.service.js';
import { disableExpressValidators } from './http/conditional-get/conditional-get.service.js';
import { serveUnder } from './http/public-address.js';
import { prepareServer } from './http/server.js';
import { readPageForms } from './http/input/page-form.js';
import { rememberRequest } from './platform/request-context.js';
import { AppModule, type AppDependencies } from './app.module.js';
import { Installed } from './platform/module.js';
import { ClockCheck } from './database/clock-check.service.js';
import { RequestLimiterService } from './auth/request-limiter.service.js';
import { logAccess } from './platform/logging/access-log.js';
import { appLogger } from './platform/logging/logger.js';
import { MetricsService } from './platform/metrics/metrics.service.js';
import { TracingService } from './platform/tracing/tracing.service.js';
import { serveDocument } from './web/openapi/serve-document.js';
import { PageErrorFilter } from './web/layout/page-error.filter.js';
import { setShown } from './web/layout/render-page.js';

/** Access lines are logged at debug. At other levels the middleware is left out. */
const WITH_ACCESS_LOG: ReadonlySet<string> = new Set(['debug', 'trace']);

/** Paths without authentication, so no guard counts their requests. */
const OPEN_PATHS = /^\/(?:assets|docs|license|openapi\.json|openapi\.yaml|pushes)(?:\/|$)/i;

/** Served whatever the clock says: to sign in and out, and assistants, which only read. */
const UNDATED_PATHS = /^\/(?:sign-in(?:\/code)?|sign-out|mcp)\/?$/i;

/** Compressing a smaller body costs more than it saves. */
const LARGE_BODY_BYTES = 4096;

/**
 * Creates the application for the service and the tests, without listening.
 *
 * @param demoUserId whose records the examples of the document name where nobody is signed in
 */
export async function createApp(
  dependencies: AppDependencies,
  demoUserId: () => string | null = () => null,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(dependencies), {
    logger: appLogger(dependencies.config),
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  // Lists have their own entity tags; Express would hash every body.
  app.disable('etag');
  // `a=1&a=2` is parsed as a list and `a[]=1` as a name, so that validation refuses both and no parser builds objects.
  app.set('query parser', 'simple');
  app.set('trust proxy', [...dependencies.config.trustedProxies]);
  const links = app.get(Installed).parts.flatMap(({ pages = [] }) => pages);
  setShown(app.getHttpAdapter().getInstance(), { sourceUrl: dependencies.config.sourceUrl, links });
  disableExpressValidators(app.getHttpAdapter().getInstance().request);
  const server = app.getHttpServer();
  serveUnder(app, dependencies.config.basePath);
  prepareServer(server, dependencies.config);
  app.get(DrainService).attach(server);
  app.use(rememberRequest);
  const metrics = app.get(MetricsService);
  app.use(metrics.observeRequest.bind(metrics));
  app.get(TracingService).traceRequests(app);
  if (WITH_ACCESS_LOG.has(dependencies.config.logLevel)) app.use(logAccess);
  app.use(protectAnswer);
  app.use(allowedHosts(dependencies.config));
  app.use(countOpenPaths(app.get(RequestLimiterService)));
  allowOrigins(app, dependencies.config.corsOrigins);
  app.use(refuseChanges(app.get(ClockCheck)));
  app.use(compressLarge());
  app.use(readPageForms());
  app.useGlobalFilters(new PageErrorFilter());
  serveDocument(app, dependencies.config, demoUserId);
  return app;
}

function countOpenPaths(limiter: RequestLimiterService): RequestHandler {
  return (request, _response, next) => {
    if (OPEN_PATHS.test(request.path)) limiter.countNetwork(request);
    next();
  };
}

/** Refuses requests that change something while the clock is wrong. */
function refuseChanges(clockCheck: ClockCheck): RequestHandler {
  return (request, _response, next) => {
    if (!isSafeMethod(request) && !UNDATED_PATHS.test(request.path)) clockCheck.assertRight();
    next();
  };
}

/**
 * Compresses large bodies at the fastest level, which still shrinks a page of records to a tenth. Events are not
 * compressed, since they must not wait in a buffer. Clients that accept no encoding skip the middleware.
 */
function compressLarge(): RequestHandler {
  const compress = compression({
    threshold: LARGE_BODY_BYTES,
    level: 1,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    filter: (request, response) =>
      response.getHeader('Content-Type') !== 'text/event-stream' &&
      // A range has bytes of the file as it is, not as compressed.
      !response.hasHeader('Content-Range') &&
      compression.filter(request, response),
  });
  return (request, response, next) => {
    if (request.headers['accept-encoding']) compress(request, response, next);
    else next();
  };
}
