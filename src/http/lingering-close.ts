import type { Duplex } from 'node:stream';

/** How long a client may take to close the connection after the answer. */
const CLIENT_CLOSES_MS = 5_000;

/**
 * Ends a connection whose client may still be sending. What comes is discarded for a while: a connection that is reset
 * takes the answer from the client.
 *
 * @param text to send first
 */
export function lingeringClose(socket: Duplex, text = ''): void {
  const closing = setTimeout(() => socket.destroy(), CLIENT_CLOSES_MS).unref();
  socket.once('close', () => clearTimeout(closing));
  socket.resume();
  socket.end(text);
}
