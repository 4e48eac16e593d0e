import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorFilter } from './api/error.filter.js';
import { requestId } from './api/request-id.js';
import { AppModule, type Surroundings } from './app.module.js';
import { AppLogger } from './logging/logger.js';
import { openApiDocument } from './openapi.js';

const MAX_BODY = '100kb';

/** The application as it serves and as the tests drive it; not listening yet. */
export async function createApp(surroundings: Surroundings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(surroundings), {
    logger: new AppLogger(surroundings.config.logLevel),
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  // Lists make their own validators; Express' would hash every body.
  app.disable('etag');
  // `a=1&a=2` is a list, `a[]=1` a name: the query pipe refuses both, and no parser builds objects from a query.
  app.set('query parser', 'simple');
  app.use(requestId);
  app.useBodyParser('json', { limit: MAX_BODY });
  app.useGlobalFilters(new ErrorFilter());
  serveDocumentation(app);
  return app;
}

function serveDocumentation(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= openApiDocument(app)), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Tidemark API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
}
