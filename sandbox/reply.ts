import type { ServerResponse } from 'node:http';

/** How a server replies: with an answer, a broken connection, or never. */
export type Reply = HttpReply | 'reset' | 'silence';

export interface HttpReply {
  status: number;
  type: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** `Content-Length` of a longer body: the connection breaks after the real one. */
  announcedBytes?: number;
  /** Sends the body in this many pieces with a pause between them. */
  drip?: { pieces: number; pauseMs: number };
}

/** Ends a request that is never answered, so that the process can stop. */
const SILENCE_MS = 90_000;

export const NOT_FOUND: HttpReply = { status: 404, type: 'text/plain', body: 'Not found\n' };

export function json(body: unknown, status = 200): HttpReply {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

export function html(status: number, title: string, text = ''): HttpReply {
  const body = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${text}</body></html>\n`;
  return { status, type: 'text/html', body };
}

export function plain(body: string, status = 200): HttpReply {
  return { status, type: 'text/plain', body };
}

/** @param pause waits; tests replace it */
export async function send(
  reply: Reply,
  response: ServerResponse,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  if (reply === 'silence') return keepSilent(response);
  const bytes = Buffer.from(reply.body);
  response.writeHead(reply.status, {
    'Content-Type': `${reply.type}; charset=utf-8`,
    'Content-Length': reply.announcedBytes ?? bytes.length,
    'Cache-Control': 'no-store',
    ...reply.headers,
  });
  const { pieces, pauseMs } = reply.drip ?? { pieces: 1, pauseMs: 0 };
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    if (at > 0) await pause(pauseMs);
    response.write(bytes.subarray(at, at + size));
  }
  if (reply.announcedBytes === undefined) response.end();
  else response.socket?.destroySoon();
}

function keepSilent(response: ServerResponse): void {
  const end = setTimeout(() => response.destroy(), SILENCE_MS).unref();
  response.on('close', () => clearTimeout(end));
}
