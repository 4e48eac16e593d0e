import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { namesTag, weakTag } from '../http/conditional-get/conditional-get.service.js';
import { isReading } from '../http/reading.js';

/** The same for everybody, and milliseconds of work. As routes: in any case, and with a slash at the end or without. */
const DOCUMENT = /^\/(openapi\.json|openapi\.yaml|docs\/(?:docs\/)?swagger-ui-init\.js)\/?$/i;
const CACHE_CONTROL = 'public, max-age=300';

/** The best first. A higher quality would stop the process for longer the first time. */
const ENCODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body),
};

interface CachedDocument {
  type: string;
  /** Weak, since it is one for all encodings. */
  tag: string;
  body: Buffer;
  encoded: Map<string, Buffer>;
}

/**
 * Caches the bytes of each document, also compressed, so that an answer costs no work in proportion to its size. Not for
 * a demo, whose documents contain fresh secrets that work once.
 *
 * @param isOwn whether an answer is for one person only
 */
export function cacheDocuments(isOwn: (response: Response) => boolean): RequestHandler {
  const cache = new Map<string, CachedDocument>();
  return (request, response, next) => {
    const name = DOCUMENT.exec(request.path)?.[1]!.toLowerCase();
    if (!name || !isReading(request) || isOwn(response)) return next();
    const document = cache.get(name);
    if (document) return void answer(request, response, document);
    const send = response.send.bind(response);
    response.send = (text: unknown) => {
      response.send = send;
      const type = response.get('Content-Type');
      // An error is sent in the same way.
      if (response.statusCode !== 200 || !type || typeof text !== 'string') return send(text);
      const read = { type, tag: weakTag([text]), body: Buffer.from(text), encoded: new Map<string, Buffer>() };
      cache.set(name, read);
      return answer(request, response, read);
    };
    next();
  };
}

function answer(request: Request, response: Response, document: CachedDocument): Response {
  response.set({ 'Cache-Control': CACHE_CONTROL, ETag: document.tag });
  const condition = request.get('if-none-match');
  if (condition?.trim() === '*' || namesTag(condition, document.tag)) return response.status(304).end();
  const encoding = Object.keys(ENCODERS).find((name) => request.acceptsEncodings(name));
  if (encoding) response.set('Content-Encoding', encoding);
  return response.type(document.type).send(encoding ? encodedBody(document, encoding) : document.body);
}

function encodedBody({ body, encoded }: CachedDocument, encoding: string): Buffer {
  const known = encoded.get(encoding);
  if (known) return known;
  const made = ENCODERS[encoding]!(body);
  encoded.set(encoding, made);
  return made;
}
