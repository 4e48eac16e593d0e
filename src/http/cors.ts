import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';

/** Every header of the OpenAPI document; browsers hide all others from scripts of other origins. */
const EXPOSED_HEADERS = [
  ...['ETag', 'Link', 'Warning', 'Retry-After', 'WWW-Authenticate', 'Content-Disposition', 'Cache-Control'],
  ...['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Idempotent-Replayed'],
];
const ALLOWED_HEADERS = [
  ...['X-Api-Key', 'Accept', 'Content-Type', 'If-None-Match', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'],
];
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Routes for programs. Pages use sessions and are closed to other origins. */
const FOR_PROGRAMS = /^\/(?:api\/|openapi\.(?:json|yaml)$)/;

/** Lets pages of these origins call the API with a key. Their cookies are never accepted. */
export function allowOrigins(app: NestExpressApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const options = {
    origin: [...origins],
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  };
  app.enableCors((request: Request, callback: (error: Error | null, options: object) => void) => {
    callback(null, FOR_PROGRAMS.test(request.path) ? options : { origin: false });
  });
}
