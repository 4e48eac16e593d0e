import type { Server } from 'node:http';

/**
 * Answers `100 Continue` to a client that sent `Expect: 100-continue` when something reads the body. Node would answer at
 * once, also where the request is refused. Call it before the server listens.
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
