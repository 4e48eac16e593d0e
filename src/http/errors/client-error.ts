import { randomUUID } from 'node:crypto';
import type { OutgoingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode } from './api-error.js';
import { errorBody } from './error-body.js';

/** The answer that is being sent on a connection; Node keeps it there. */
interface ServedSocket extends Duplex {
  _httpMessage?: OutgoingMessage | null;
}

const REASONS = new Map<string | undefined, [code: ErrorCode, message: string]>([
  ['HPE_HEADER_OVERFLOW', ['bad_request', 'The header is larger than this service accepts.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'The request took too long to arrive.']],
]);

/** Answers what Node could not read as HTTP at all, in the same form as every other error, and hangs up. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: ServedSocket): void {
  if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const error = new ApiError(...(REASONS.get(code) ?? ['bad_request', 'The request is not valid HTTP.']));
  const body = JSON.stringify(errorBody(error));
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${error.status === 408 ? 'Request Timeout' : 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
