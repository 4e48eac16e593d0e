import type { RequestHandler, Response } from 'express';
import { isSafeMethod } from '../../http/safe-method.js';
import { SharedAnswer } from '../../http/shared-answer.js';

/** As routes: in any case, and with a slash at the end or without. */
const DOCUMENT = /^\/(openapi\.json|openapi\.yaml|docs\/(?:docs\/)?swagger-ui-init\.js)\/?$/i;

/**
 * Makes the bytes of each document once for all who get the same: in YAML they cost 30 ms of processor time, and strangers
 * may ask for them.
 *
 * @param isShared whether an answer is the same for everybody
 */
export function shareDocuments(isShared: (response: Response) => boolean): RequestHandler {
  const shared = new Map<string, SharedAnswer>();
  return (request, response, next) => {
    const name = DOCUMENT.exec(request.path)?.[1]!.toLowerCase();
    if (!name || !isSafeMethod(request) || !isShared(response)) return next();
    const known = shared.get(name);
    if (known) return void known.send(request, response).catch(next);
    const send = response.send.bind(response);
    response.send = (text: unknown) => {
      response.send = send;
      const type = response.get('Content-Type');
      // An error is sent in the same way.
      if (response.statusCode !== 200 || !type || typeof text !== 'string') return send(text);
      const answer = new SharedAnswer(Buffer.from(text), type, 'no-store');
      shared.set(name, answer);
      void answer.send(request, response).catch(next);
      return response;
    };
    next();
  };
}
