import type { RequestHandler, Response } from 'express';
import { isSafeMethod } from '../http/safe-method.js';
import { SharedAnswer } from '../http/shared-answer.js';

/** The same for everybody, and milliseconds of work. As routes: in any case, and with a slash at the end or without. */
const DOCUMENT = /^\/(openapi\.json|openapi\.yaml|docs\/(?:docs\/)?swagger-ui-init\.js)\/?$/i;
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Caches the bytes of each document. Not for a demo, whose documents contain fresh secrets that work once.
 *
 * @param isOwn whether an answer is for one person only
 */
export function cacheDocuments(isOwn: (response: Response) => boolean): RequestHandler {
  const cache = new Map<string, SharedAnswer>();
  return (request, response, next) => {
    const name = DOCUMENT.exec(request.path)?.[1]!.toLowerCase();
    if (!name || !isSafeMethod(request) || isOwn(response)) return next();
    const document = cache.get(name);
    if (document) return document.send(request, response);
    const send = response.send.bind(response);
    response.send = (text: unknown) => {
      response.send = send;
      const type = response.get('Content-Type');
      // An error is sent in the same way.
      if (response.statusCode !== 200 || !type || typeof text !== 'string') return send(text);
      const read = new SharedAnswer(Buffer.from(text), type, CACHE_CONTROL);
      cache.set(name, read);
      void read.send(request, response).catch(next);
      return response;
    };
    next();
  };
}
