import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { CalendarDate } from '../src/platform/time/calendar-date.js';
import type { HouseholdOn } from './household.js';
import { NOT_FOUND, send, type Reply } from './reply.js';

export interface SandboxOptions {
  /** The banks' day; may move forward between requests. */
  today: () => CalendarDate;
  /** The banks' data. Default: an invented household. */
  household?: HouseholdOn;
  /** Called for every request, for tests. */
  onRequest?: (request: SeenRequest) => void;
  /** Called for every request that gets no answer, for tests. */
  onSilence?: () => void;
  /** Waits between the pieces of a slow answer. */
  pause?: (ms: number) => Promise<void>;
}

export interface SeenRequest {
  method: string;
  /** Below the sandbox's root, with the query: `/accounts?version=2`. */
  target: string;
}

/** A handler for `node:http`, and Express middleware. */
export type SandboxHandler = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  next?: () => void,
) => void;

/** Answers a request. The target is below the server's root. */
interface Answering {
  answer(request: IncomingMessage, target: string): Reply;
}

/** A provider's server below a path of the process. */
export function sandboxHandler(path: string, server: Answering, options: SandboxOptions): SandboxHandler {
  const pause = options.pause ?? ((ms: number) => wait(ms));
  return (request, response, next) => {
    const target = request.originalUrl ?? request.url ?? '/';
    const below = target.startsWith(`${path}/`) ? target.slice(path.length) : null;
    if (below === null) return next ? next() : void send(NOT_FOUND, response, pause);
    options.onRequest?.({ method: request.method ?? 'GET', target: below });
    const reply = server.answer(request, below);
    if (reply === 'silence') options.onSilence?.();
    // The client has disconnected.
    send(reply, response, pause).catch(() => response.destroy());
  };
}
