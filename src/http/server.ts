import { once } from 'node:events';
import type { Server } from 'node:http';

/** From the start of a request or connection to the end of its headers. */
const HEADERS_TIMEOUT_MS = 20_000;
/** From the start of a request to the end of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node checks for slow requests. Its default of 30 s would double the limits. */
const CHECK_INTERVAL_MS = 1_000;
/** Longer than proxies keep a connection open, so that none sends a request to one that is closing. */
const KEEP_ALIVE_MS = 65_000;
/** More are closed as they come. A household has some dozens open, and a reverse proxy shares them. */
const MAX_CONNECTIONS = 1_000;

interface ServerSettings {
  idleReaderTimeoutMs: number;
}

/** In the place of Nest's own, which logs an error that the caller reports. */
export async function listenOn(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Sets the limits of Node's server. Call it before the server listens. */
export function prepareServer(server: Server, { idleReaderTimeoutMs }: ServerSettings): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  // Closes connections on which nothing moves, such as those of clients that read no answer.
  server.timeout = idleReaderTimeoutMs;
  Object.assign(server, { connectionsCheckingInterval: CHECK_INTERVAL_MS });
}
