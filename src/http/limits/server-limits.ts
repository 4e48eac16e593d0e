import type { Server } from 'node:http';

/** From the start of a request or connection to the end of its headers. */
const HEADERS_TIMEOUT_MS = 20_000;
/** From the start of a request to the end of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node checks for slow requests. Its default of 30 s would double the limits. */
const CHECK_INTERVAL_MS = 1_000;

/** Limits how long a client may take to send a request. Call it before the server listens. */
export function limitServer(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  Object.assign(server, { connectionsCheckingInterval: CHECK_INTERVAL_MS });
}
