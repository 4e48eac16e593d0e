import type { RequestHandler, Response } from 'express';

/** The same for everybody, and milliseconds of work. */
const DOCUMENTS: ReadonlySet<string> = new Set(['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js']);
const CACHE_CONTROL = 'public, max-age=300';

interface CachedDocument {
  type: string;
  text: string;
}

/**
 * Caches each document. Not for a demo, whose documents contain fresh secrets.
 *
 * @param isOwn whether an answer is for one person only
 */
export function cacheDocuments(isOwn: (response: Response) => boolean): RequestHandler {
  const cache = new Map<string, CachedDocument>();
  return ({ path, method }, response, next) => {
    if (!DOCUMENTS.has(path) || method !== 'GET' || isOwn(response)) return next();
    const document = cache.get(path);
    if (document) return void response.set('Cache-Control', CACHE_CONTROL).type(document.type).send(document.text);
    const send = response.send.bind(response);
    response.send = (text: unknown) => {
      const type = response.get('Content-Type');
      // Not an error, which is sent in the same way.
      if (response.statusCode === 200 && type && typeof text === 'string') {
        cache.set(path, { type, text });
        response.set('Cache-Control', CACHE_CONTROL);
      }
      return send(text);
    };
    next();
  };
}
