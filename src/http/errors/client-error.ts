import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { lingeringClose } from '../lingering-close.js';
import { ApiError, type ErrorCode } from './api-error.js';
import { toErrorResponse } from './error-response.js';

/** Node stores the answer in progress on its connection. */
interface ServedSocket extends Duplex {
  _httpMessage?: OutgoingMessage | null;
}

/** Of the service as a whole. */
export const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

const REASONS = new Map<string | undefined, [code: ErrorCode, message: string]>([
  ['HPE_HEADER_OVERFLOW', ['header_too_large', 'The address and the headers are larger than this service accepts.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', ['payload_too_large', 'The extensions of a chunk are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'The request took too long to arrive.']],
]);

/** Answers a request that Node could not parse, in the form of every other error, and closes the connection. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: ServedSocket): void {
  if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  endWith(new ApiError(...(REASONS.get(code) ?? ['bad_request', 'The request is not valid HTTP.'])), socket);
}

/** Refuses `CONNECT`, which Node would close without an answer. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // The client may be gone already.
  socket.on('error', () => socket.destroy());
  endWith(
    new ApiError('method_not_allowed', 'This service is not a proxy.', { headers: { Allow: ALLOWED_METHODS } }),
    socket,
  );
}

/** Answers without a response object and closes the connection. */
function endWith(error: ApiError, socket: Duplex): void {
  const body = JSON.stringify(toErrorResponse(error));
  const headers = {
    ...error.parts.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': randomUUID(),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
  lingeringClose(socket, text);
}
