import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { CalendarDate } from '../time/calendar-date.js';
import type { HouseholdOn } from './household.js';
import { NOT_FOUND, send, type Reply } from './reply.js';

export interface SandboxOptions {
  /** The day it is for the banks; may move forward between requests. */
  today: () => CalendarDate;
  /** The banks' data; a lifelike household when absent. */
  household?: HouseholdOn;
  /** Told of every request, for tests. */
  onRequest?: (request: SeenRequest) => void;
  /** Told of every request that is left without an answer, for tests. */
  onSilence?: () => void;
  /** Waits between the pieces of a slow answer. */
  pause?: (ms: number) => Promise<void>;
}

export interface SeenRequest {
  method: string;
  /** Below the sandbox's root, with the query: `/accounts?version=2`. */
  target: string;
}

/** Takes requests of `node:http` as they are, or as Express middleware. */
export type SandboxHandler = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  next?: () => void,
) => void;

/** What a provider's server answers to a request. The target is below its root. */
export interface Answering {
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
    // A client that went away in the middle is no trouble of the sandbox.
    send(reply, response, pause).catch(() => response.destroy());
  };
}
