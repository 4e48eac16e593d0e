import type { Request, RequestHandler } from 'express';
import { knownCallerOf } from '../caller.js';
import { clientNetworkOf } from '../client-network.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

/** An answer that is read within this time is not counted. */
const UNREAD_AFTER_MS = 1_000;

/**
 * Middleware: resets connections whose client has stopped reading an answer, and limits how many answers wait in memory
 * for their clients.
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
    // Set on the response: without a listener there Node would close a quiet connection. Each byte sent restarts it.
    response.setTimeout(firstWaitMs, () => {
      if (socket.writableLength === 0) return isLate ? readsOn() : undefined;
      try {
        if (isLate) return void socket.resetAndDestroy();
        isLate = true;
        socket.setTimeout(idleReaderTimeoutMs - firstWaitMs);
        // Less than a full buffer takes little memory.
        if (!socket.writableNeedDrain) return;
        release = unread.acquire({ 'key or address': keyOrAddressOf(request) });
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

function keyOrAddressOf(request: Request): string {
  return knownCallerOf(request)?.apiKeyId ?? clientNetworkOf(request);
}
