import type { RequestHandler, Response } from 'express';

/** The same for everybody, and milliseconds of work. */
const DOCUMENTS: ReadonlySet<string> = new Set(['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js']);
const CACHED = 'public, max-age=300';

interface Kept {
  type: string;
  text: string;
}

/**
 * Caches each document. Not for a demo, whose documents contain fresh secrets.
 *
 * @param isOwn whether an answer is for one person only
 */
export function keepDocuments(isOwn: (response: Response) => boolean): RequestHandler {
  const kept = new Map<string, Kept>();
  return ({ path, method }, response, next) => {
    if (!DOCUMENTS.has(path) || method !== 'GET' || isOwn(response)) return next();
    response.set('Cache-Control', CACHED);
    const document = kept.get(path);
    if (document) return void response.type(document.type).send(document.text);
    const send = response.send.bind(response);
    response.send = (text: unknown) => {
      const type = response.get('Content-Type');
      if (type && typeof text === 'string') kept.set(path, { type, text });
      return send(text);
    };
    next();
  };
}
