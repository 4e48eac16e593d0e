import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ApiError } from './api-error.js';
import { errorBody } from './error-body.js';

/** Answers what Node could not read as HTTP at all, in the same form as every other error, and hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const message = tooLarge ? 'The header is larger than this service accepts.' : 'The request is not valid HTTP.';
  const body = JSON.stringify(errorBody(new ApiError('bad_request', message)));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
