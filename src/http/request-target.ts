import type { Server } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from './errors/api-error.js';

/** What Express is given in place of an address that it cannot read. */
const UNREADABLE = '/unreadable-address';

/**
 * Lets Express see the path alone of a request that names a whole address, as clients write it to a proxy
 * (`GET http://host/path`). Express would leave what cannot be read to a handler that is not ours. As RFC 9112 (3.2.2)
 * wants it, the host is then the one of the address. Call it before the server listens.
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

/** 400 for an address that could not be read. */
export function refuseUnreadableTarget({ url }: Request, _response: Response, next: NextFunction): void {
  if (url === UNREADABLE) throw new ApiError('bad_request', 'The address of the request cannot be read.');
  next();
}
