import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application, Request, Response } from 'express';

const BASE_PATH = 'basePath';

/**
 * Serves the application under a path of the host, the prefix of a proxy. Everything inside knows addresses without it,
 * whether the proxy strips it or not; whatever leaves the service gets it here and in `renderPage`.
 *
 * @param basePath such as `/tidemark`; empty: the service has the whole host
 */
export function serveUnder(app: NestExpressApplication, basePath: string): void {
  const express: Application = app.getHttpAdapter().getInstance();
  express.locals[BASE_PATH] = basePath;
  if (!basePath) return;
  const server: Server = app.getHttpServer();
  server.prependListener('request', (request) => {
    const { url = '' } = request;
    const isUnder = url.startsWith(basePath) && /^[/?]?$/.test(url.charAt(basePath.length));
    if (isUnder) request.url = url.slice(basePath.length).replace(/^(?!\/)/, '/');
  });
  // Express has it, and its types do not. Redirects use `location`, too.
  const { response: responses } = express as unknown as { response: Response };
  const originals = Object.getPrototypeOf(responses) as Response;
  responses.location = function (this: Response, url: string) {
    return originals.location.call(this, url.startsWith('/') ? basePath + url : url);
  };
}

export function basePathOf({ app }: Pick<Request, 'app'>): string {
  return app.locals[BASE_PATH] as string;
}

// Express looks each time whether it trusts the sender, which only matters where a proxy says something.

/** Whether clients use https, which ends at a trusted proxy. */
export function isSecure(request: Request): boolean {
  return request.headers['x-forwarded-proto'] !== undefined && request.secure;
}

/** The host that clients ask for, as a trusted proxy says. */
export function publicHost(request: Request): string | undefined {
  return request.headers['x-forwarded-host'] === undefined ? request.headers.host : request.host;
}

/** Where clients reach the service: origin and prefix. */
export function publicAddress(request: Request): string {
  return `${isSecure(request) ? 'https' : 'http'}://${publicHost(request)}${basePathOf(request)}`;
}
