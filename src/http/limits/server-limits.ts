import type { Server } from 'node:http';

/** From the first byte of a request, or the connection, to the end of its header. */
const HEADERS_TIMEOUT_MS = 20_000;
/** To the end of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node looks for requests that take too long; by itself every 30 s, which would double the limits. */
const CHECK_INTERVAL_MS = 1_000;

/** Bounds how long a client may take to send a request. Call it before the server listens. */
export function limitServer(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  Object.assign(server, { connectionsCheckingInterval: CHECK_INTERVAL_MS });
}
