import type { Response } from 'express';

export const EVENT_STREAM_TYPE = 'text/event-stream';

const HEARTBEAT_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000;

export interface StreamEvent {
  /** What the client sends when it comes back; `null`: its last one stays. */
  id: string | null;
  name: string;
  data: object;
}

/**
 * Sends events as Server-Sent Events until there are no more, or the client is gone: then `abort` ends their source. A
 * comment now and then keeps proxies from closing a quiet stream. A client that lets events wait for too long is
 * disconnected.
 */
export async function sendEvents(
  response: Response,
  events: AsyncIterable<StreamEvent>,
  abort: AbortController,
  idleTimeoutMs: number,
): Promise<void> {
  if (response.closed) return;
  // Without a charset: events are always UTF-8, and the compressor knows them by this exact type.
  response.setHeader('Content-Type', EVENT_STREAM_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  // Some proxies hold answers back until they are complete.
  response.setHeader('X-Accel-Buffering', 'no');
  response.on('close', () => abort.abort());
  // What is written to an answer without a body does not even send its headers.
  if (response.req.method === 'HEAD') return void response.end();
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const { id, name, data } of events) {
      const position = id === null ? '' : `id: ${id}\n`;
      const hasRoom = response.write(`${position}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (!hasRoom) await drained(response, abort.signal, idleTimeoutMs);
    }
  } finally {
    clearInterval(heartbeat);
    // Whoever does not read would never see the end either.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

/** A slow client is waited for, up to a limit; nothing piles up in memory for it. */
async function drained(response: Response, signal: AbortSignal, idleTimeoutMs: number): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      response.off('drain', stop);
      signal.removeEventListener('abort', stop);
      resolve();
    };
    // Its `close` aborts the signal.
    const timer = setTimeout(() => response.destroy(), idleTimeoutMs);
    response.once('drain', stop);
    signal.addEventListener('abort', stop);
  });
}
