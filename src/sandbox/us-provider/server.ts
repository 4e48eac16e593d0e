import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { HouseholdOn } from '../household.js';
import { lifelikeHousehold } from '../life/lifelike-household.js';
import { US_SANDBOX_PATH } from './setup-token.js';
import { NOT_FOUND, send } from '../reply.js';
import { UsProviderRoutes } from './routes.js';

export interface UsSandboxOptions {
  /** The day it is for the banks; may move forward between requests. */
  today: () => CalendarDate;
  /** The banks' data; a lifelike household when absent. */
  household?: HouseholdOn;
  /** Told of every request, for tests. */
  onRequest?: (request: SeenRequest) => void;
  /** Waits between the pieces of a slow answer. */
  pause?: (ms: number) => Promise<void>;
}

export interface SeenRequest {
  method: string;
  /** Below the sandbox's root, with the query: `/accounts?version=2`. */
  target: string;
}

/** Takes requests of `node:http` as they are, or as Express middleware. */
export type UsSandboxHandler = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  next?: () => void,
) => void;

/** The US provider's server: claim, info and accounts below {@link US_SANDBOX_PATH}, playing the scenario of each code. */
export function createUsSandbox(options: UsSandboxOptions): UsSandboxHandler {
  const server = new UsProviderRoutes(options.today, options.household ?? lifelikeHousehold());
  const pause = options.pause ?? ((ms: number) => wait(ms));
  return (request, response, next) => {
    const target = request.originalUrl ?? request.url ?? '/';
    const below = target.startsWith(`${US_SANDBOX_PATH}/`) ? target.slice(US_SANDBOX_PATH.length) : null;
    if (below === null) return next ? next() : void send(NOT_FOUND, response, pause);
    options.onRequest?.({ method: request.method ?? 'GET', target: below });
    const reply = server.answer(request, below);
    // A client that went away in the middle is no trouble of the sandbox.
    send(reply, response, pause).catch(() => response.destroy());
  };
}
