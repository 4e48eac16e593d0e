import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TestApp } from './app.js';

/** Headers of a client that does not read its answer, see {@link holdAnswers}. */
export const HELD = { 'X-Held': 'yes' };

/**
 * From now on a client with {@link HELD} receives what the service writes first, and nothing more, as if it did not read: no
 * buffer between the two takes anything.
 *
 * @returns sends what was kept
 */
export function holdAnswers({ app }: TestApp): () => void {
  const held: (() => void)[] = [];
  app.getHttpServer().prependListener('request', ({ headers, socket }: IncomingMessage) => {
    if (headers['x-held']) held.push(holdSocket(socket, 1));
  });
  return () => {
    for (const letGo of held.splice(0)) letGo();
  };
}

/**
 * What is written stays in the process, as where the other end does not read.
 *
 * @param passing how many writes leave before
 * @returns lets it leave
 */
export function holdSocket(socket: Socket, passing = 0): () => void {
  const [_write, _writev] = [socket._write.bind(socket), socket._writev!.bind(socket)];
  let written = 0;
  // A stream begins a write once the one before has ended.
  let begin = () => {};
  const holding =
    <Args extends unknown[]>(write: (...args: Args) => void) =>
    (...args: Args) => {
      if (++written <= passing) write(...args);
      else begin = () => write(...args);
    };
  socket._write = holding(_write);
  socket._writev = holding(_writev);
  return () => {
    Object.assign(socket, { _write, _writev });
    begin();
  };
}
