import type { Server } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from './errors/api-error.js';

/** Replaces an address that Express cannot parse. */
const UNREADABLE = '/unreadable-address';

/**
 * Reduces an absolute request target (`GET http://host/path`, as clients send to a proxy) to its path, before Express
 * sees it: Express would pass an unparsable one to a handler that is not ours. The host then is that of the target, as
 * RFC 9112 (3.2.2) requires. Call it before the server listens.
 */
export function readRequestTargets(server: Server): void {
  server.prependListener('request', (request) => {
    const { url = '' } = request;
    if (url.startsWith('/') || url === '*') return;
    const target = URL.canParse(url) ? new URL(url) : null;
    request.url = target ? target.pathname + target.search : UNREADABLE;
    if (target) request.headers.host = target.host;
  });
}

/** Answers 400 to an unparsable target. */
export function refuseUnreadableTarget({ url }: Request, _response: Response, next: NextFunction): void {
  if (url === UNREADABLE) throw new ApiError('bad_request', 'The address of the request cannot be read.');
  next();
}
