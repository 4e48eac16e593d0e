import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { CoveredDays } from '../../src/platform/time/covered-days.js';

/** What a client with this server's deadline says it has waited for; no clock is asked. */
export const TIMEOUT_MS = 60_000;

/** A request as the server saw it. */
export interface ScriptedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ScriptedReply {
  status?: number;
  headers?: Record<string, string>;
  /** Anything but text and bytes is sent as JSON. */
  body?: unknown;
  /** The connection breaks after the body although more was announced. */
  breaksOff?: boolean;
  /** The body never ends. */
  hangs?: boolean;
  /** Sent in place of the body, without its length being announced. */
  chunks?: Iterable<Buffer>;
}

/** `reset`: the connection breaks without an answer; `silence`: there never is one. */
export type ScriptedAnswer = ScriptedReply | 'reset' | 'silence';

/** Answers a request, now or when it is ready; `index` counts the requests from 0. */
export type Script = (request: ScriptedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** What becomes of a reply. */
export type Fault = (reply: ScriptedReply, request: ScriptedRequest, index: number) => ScriptedAnswer;

export interface ScriptedServer {
  /** Address without a slash at its end. */
  url: string;
  /** Every request so far, oldest first. */
  requests: ScriptedRequest[];
  /** From now on answers by a script, or with these answers in turn and the last one for ever. */
  play: (...script: [Script] | ScriptedAnswer[]) => void;
  /** From now on answers as before, but for this fault. */
  break: (fault: Fault) => void;
  /** For a client in place of a clock: its time is up when the server falls silent or hangs, and never else. */
  deadline: () => AbortSignal;
  /** Stops at once, open requests included. */
  stop: () => Promise<void>;
}

/** A real HTTP server on a free loopback port that does what a test tells it to. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  let script: Script = () => ({ status: 404 });
  let deadline = new AbortController();
  const server = createServer((request, response) => {
    void record(request).then(async (seen) => {
      const index = requests.push(seen) - 1;
      answer(await script(seen, index), response, () => deadline.abort());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    deadline: () => (deadline = new AbortController()).signal,
    play: (...answers) => {
      const [first] = answers;
      const from = requests.length;
      script =
        typeof first === 'function'
          ? first
          : (_, index) => (answers as ScriptedAnswer[])[Math.min(index - from, answers.length - 1)]!;
    },
    break: (fault) => {
      const before = script;
      script = async (request, index) => {
        const reply = await before(request, index);
        return typeof reply === 'string' ? reply : fault(reply, request, index);
      };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function record(request: IncomingMessage): Promise<ScriptedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://scripted');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

function answer(reply: ScriptedAnswer, response: ServerResponse, timeIsUp: () => void): void {
  if (reply === 'silence') return timeIsUp();
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  const { status = 200, headers, body = '', breaksOff, hangs, chunks } = reply;
  if (chunks) {
    response.writeHead(status, headers);
    // The client may leave in the middle.
    return void pipeline(chunks, response).catch(() => undefined);
  }
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(isRaw ? (body as string) : JSON.stringify(body));
  const announced = breaksOff || hangs ? bytes.length + 100 : bytes.length;
  const type = isRaw ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': announced, ...headers });
  response.write(bytes, () => {
    if (breaksOff) response.destroy();
    else if (hangs) timeIsUp();
    else response.end();
  });
}

/** Stored accounts whose lists are whole until a day, by external id. */
export function storedUntil(days: Record<string, CalendarDate>): Map<string, CoveredDays> {
  return new Map(Object.entries(days).map(([id, until]) => [id, [{ from: null, until }]]));
}
