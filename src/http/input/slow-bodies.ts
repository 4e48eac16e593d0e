import type { Request, RequestHandler } from 'express';
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';

/** Bodies that arrive within this time are not counted. */
const SLOW_AFTER_MS = 1_000;

/**
 * Limits how many slow bodies are received at the same time.
 *
 * @param parse reads a body
 * @param callerOf the ids by which the limiter counts a client
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
