import type { Server } from 'node:http';

/**
 * Tells a client that sent `Expect: 100-continue` to go on when something reads the body. Node would tell it at once, also
 * where the request is refused. Call it before the server listens.
 */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request, response) => {
    const { shouldKeepAlive } = response;
    // Whether a client sends the body of a request that was refused cannot be known.
    response.shouldKeepAlive = false;
    request.once('resume', () => {
      if (response.headersSent) return;
      response.shouldKeepAlive = shouldKeepAlive;
      response.writeContinue();
    });
    server.emit('request', request, response);
  });
}
