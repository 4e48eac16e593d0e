import type { RequestHandler } from 'express';

/** What is the same for everybody and takes some milliseconds to make. */
const DOCUMENTS: ReadonlySet<string> = new Set(['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js']);
const CACHED = 'public, max-age=300';

interface Kept {
  type: string;
  text: string;
}

/** Makes each document once. Not for a demo, whose documents have secrets of the moment. */
export function keepDocuments(): RequestHandler {
  const kept = new Map<string, Kept>();
  return ({ path, method }, response, next) => {
    if (!DOCUMENTS.has(path) || method !== 'GET') return next();
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
