import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors/api-error.js';
import { lingeringClose } from '../lingering-close.js';
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';

/**
 * Refuses a body that is too large once its length is known: as announced, or as received. The parser alone would read
 * all of it before it answers.
 *
 * @param parse reads a body
 */
export function limitLargeBodies(parse: RequestHandler, maxBytes: number): RequestHandler {
  return (request, response, next) => {
    const refuse = () => {
      closeAfterAnswer(request, response);
      next(new ApiError('payload_too_large', 'The body is larger than this service accepts.'));
    };
    const announced = request.headers['content-length'];
    if (announced !== undefined) {
      if (Number(announced) > maxBytes) return refuse();
      return parse(request, response, next);
    }
    let received = 0;
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received <= maxBytes) return;
      request.off('data', count);
      refuse();
    };
    request.on('data', count);
    return parse(request, response, (error?: unknown) => {
      request.off('data', count);
      next(error);
    });
  };
}

/** Closes the connection after the answer, without waiting for the rest of the body. */
function closeAfterAnswer({ socket }: Request, response: Response): void {
  response.set('Connection', 'close');
  // Node calls `destroySoon` once the answer is sent.
  socket.destroySoon = () => lingeringClose(socket);
}

/** Bodies that arrive within this time are not counted. */
const SLOW_AFTER_MS = 1_000;

/**
 * Limits how many slow bodies are received at the same time.
 *
 * @param parse reads a body
 * @param clientIdsOf the ids by which the limiter counts a client
 */
export function limitSlowBodies(
  parse: RequestHandler,
  limiter: ConcurrencyLimiter,
  clientIdsOf: (request: Request) => Record<string, string>,
): RequestHandler {
  return (request, response, next) => {
    let release: (() => void) | undefined;
    let isDone = false;
    const done = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      response.off('close', gone);
      release?.();
      next(error);
    };
    const gone = () => done(new ApiError('bad_request', 'The client went away in the middle of the body.'));
    // A parser that decompresses does not notice.
    response.once('close', gone);
    const timer = setTimeout(() => {
      try {
        release = limiter.acquire(clientIdsOf(request));
      } catch (error) {
        // The rest of the body is not read.
        response.set('Connection', 'close');
        done(error);
      }
    }, SLOW_AFTER_MS);
    void parse(request, response, done);
  };
}
