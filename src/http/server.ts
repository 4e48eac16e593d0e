import { once } from 'node:events';
import type { Server } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from './errors/api-error.js';
import { ALLOWED_METHODS, answerClientError, refuseTunnel } from './errors/client-error.js';
import { limitIdleConnections } from './limits/idle-connections.js';

/** From the start of a request or connection to the end of its headers. */
const HEADERS_TIMEOUT_MS = 20_000;
/** From the start of a request to the end of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node checks for slow requests. Its default of 30 s would double the limits. */
const CHECK_INTERVAL_MS = 1_000;

interface ServerSettings {
  maxIdleConnections: number;
}

/** In the place of Nest's own, which logs an error that the caller reports. */
export async function listenOn(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Sets what Node's server does before the application sees a request. Call it before the server listens. */
export function prepareServer(server: Server, { maxIdleConnections }: ServerSettings): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  // Node would answer a request without a host by itself, and without a body.
  Object.assign(server, { connectionsCheckingInterval: CHECK_INTERVAL_MS, requireHostHeader: false });
  limitIdleConnections(server, maxIdleConnections);
  readRequestTargets(server);
  continueWhenRead(server);
  ignoreOtherExpectations(server);
  server.on('clientError', answerClientError);
  server.on('connect', refuseTunnel);
}

/**
 * Answers `100 Continue` to a client that sent `Expect: 100-continue` when something reads the body. Node would answer at
 * once, also where the request is refused.
 */
function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request, response) => {
    const { shouldKeepAlive } = response;
    // After a refusal the client may send the body or not, so the connection cannot be used again.
    response.shouldKeepAlive = false;
    request.once('resume', () => {
      if (response.headersSent) return;
      response.shouldKeepAlive = shouldKeepAlive;
      response.writeContinue();
    });
    server.emit('request', request, response);
  });
}

/** Node would answer 417 without a body, which RFC 9110 (10.1.1) allows and no other error of ours looks like. */
function ignoreOtherExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Replaces an address that Express cannot parse. */
const UNREADABLE = '/unreadable-address';

/**
 * Reduces an absolute request target (`GET http://host/path`, as clients send to a proxy) to its path, before Express
 * sees it: Express would pass an unparsable one to a handler that is not ours. The host then is that of the target, as
 * RFC 9112 (3.2.2) requires.
 */
function readRequestTargets(server: Server): void {
  server.prependListener('request', (request) => {
    const { url = '' } = request;
    if (url.startsWith('/') || url === '*') return;
    const target = URL.canParse(url) ? new URL(url) : null;
    request.url = target ? target.pathname + target.search : UNREADABLE;
    if (target) request.headers.host = target.host;
  });
}

/** Answers 400 to an unparsable target, and `OPTIONS *`, which asks about the service as a whole (RFC 9110, 9.3.7). */
export function refuseUnreadableTarget({ method, url }: Request, response: Response, next: NextFunction): void {
  if (method === 'OPTIONS' && url === '*') return void response.set('Allow', ALLOWED_METHODS).status(204).end();
  if (url === UNREADABLE) throw new ApiError('bad_request', 'The address of the request cannot be read.');
  next();
}
