import { once } from 'node:events';
import type { Response } from 'express';

export const EVENT_STREAM_TYPE = 'text/event-stream';

const HEARTBEAT_MS = 15_000;
/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000;

interface NamedEvent {
  /** The id that a reconnecting client sends; `null`: it keeps its previous one. */
  id: string | null;
  name: string;
  data: object;
}

/** By the standard a client stores an id that comes without data and dispatches no event. */
export type StreamEvent = NamedEvent | { id: string };

/**
 * Sends Server-Sent Events until the source or the client ends; `abort` then ends the source. Comments keep proxies
 * from closing an idle stream.
 */
export async function sendEvents(
  response: Response,
  events: AsyncIterable<StreamEvent>,
  abort: AbortController,
): Promise<void> {
  if (response.closed) return;
  // Without a charset: events are always UTF-8, and the compressor matches this exact type.
  response.setHeader('Content-Type', EVENT_STREAM_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  // Keeps proxies from buffering.
  response.setHeader('X-Accel-Buffering', 'no');
  response.on('close', () => abort.abort());
  // Writing to an answer without a body would not send its headers.
  if (response.req.method === 'HEAD') return void response.end();
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const event of events) {
      if (!response.write(textOf(event))) await drained(response, abort.signal);
      if (abort.signal.aborted) break;
    }
  } finally {
    clearInterval(heartbeat);
    // A client that does not read would not see the end either.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

function textOf(event: StreamEvent): string {
  const position = event.id === null ? '' : `id: ${event.id}\n`;
  return 'name' in event ? `${position}event: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n` : `${position}\n`;
}

/** Waits for a slow client. No event is taken from the source meanwhile. The server closes the connection of one that stops. */
async function drained(response: Response, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(response, 'drain', { signal }).catch(() => undefined);
}
