import type { Request, RequestHandler } from 'express';
import { knownCallerOf } from '../caller.js';
import { clientNetworkOf } from '../client-network.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

/** An answer that is read by then is not counted: slow clients take no place from others. */
const UNREAD_AFTER_MS = 1_000;

/**
 * Middleware: ends connections whose client reads nothing of an answer for so long, and bounds how many answers wait in
 * memory for clients to read on.
 */
export function limitUnreadAnswers(idleReaderTimeoutMs: number): RequestHandler {
  const unread = new ConcurrencyLimiter('unread answers', {
    perCaller: { 'key or address': 20 },
    perInstance: 200,
  });
  const firstWaitMs = Math.min(UNREAD_AFTER_MS, idleReaderTimeoutMs / 2);
  return (request, response, next) => {
    const { socket } = request;
    let isLate = false;
    let release: (() => void) | undefined;
    const giveBack = () => {
      isLate = false;
      release?.();
      release = undefined;
    };
    const readsOn = () => {
      giveBack();
      if (!response.closed) socket.setTimeout(firstWaitMs);
    };
    // By name of the response, so that Node does not end a quiet connection by itself. Bytes that leave begin it anew.
    response.setTimeout(firstWaitMs, () => {
      if (socket.writableLength === 0) return isLate ? readsOn() : undefined;
      try {
        if (isLate) return void socket.resetAndDestroy();
        isLate = true;
        socket.setTimeout(idleReaderTimeoutMs - firstWaitMs);
        // What is less than a buffer's content is no burden.
        if (!socket.writableNeedDrain) return;
        release = unread.acquire({ 'key or address': callerOf(request) });
        socket.once('drain', readsOn);
      } catch {
        socket.resetAndDestroy();
      }
    });
    response.once('close', () => {
      socket.off('drain', readsOn);
      giveBack();
    });
    next();
  };
}

function callerOf(request: Request): string {
  return knownCallerOf(request)?.apiKeyId ?? clientNetworkOf(request);
}
