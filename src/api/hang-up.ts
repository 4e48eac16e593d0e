import type { Server } from 'node:http';

/** How long an answer under way may take once the service stops. */
const GRACE_MS = 10_000;
const LOOK_MS = 50;

/**
 * Lets the server close although clients keep their connections open: a connection is closed as soon as its answer is
 * out, and one whose answer never ends after a grace period. Node itself looks for idle connections only once.
 */
export function hangUpWhenClosing(server: Server): void {
  const close = server.close.bind(server);
  server.close = (done) => {
    const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    const patience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    return close((error) => {
      clearInterval(looking);
      clearTimeout(patience);
      done?.(error);
    });
  };
}
