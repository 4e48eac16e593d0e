import type { Request, RequestHandler } from 'express';
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';

/** A body that has come in whole by then is not counted: slow clients take no place from others. */
const SLOW_AFTER_MS = 1_000;

/**
 * Bounds how many slow bodies are waited for.
 *
 * @param parse reads a body
 * @param callerOf by what the limiter knows the client
 */
export function limitSlowBodies(
  parse: RequestHandler,
  limiter: ConcurrencyLimiter,
  callerOf: (request: Request) => Record<string, string>,
): RequestHandler {
  return (request, response, next) => {
    let release: (() => void) | undefined;
    let isDone = false;
    const done = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      release?.();
      next(error);
    };
    const timer = setTimeout(() => {
      try {
        release = limiter.acquire(callerOf(request));
      } catch (error) {
        // The rest of the body is not read.
        response.set('Connection', 'close');
        done(error);
      }
    }, SLOW_AFTER_MS);
    void parse(request, response, done);
  };
}
