import type { Socket } from 'node:net';
import type { Response, RequestHandler } from 'express';

/** Of one connection. Few clients pipeline at all; one that sends more ahead is disconnected. */
const MAX_WAITING = 100;

interface Turns {
  last: Response;
  waiting: number;
}

/**
 * Middleware: serves the pipelined requests of a connection one after the other. Node itself would begin all of them, and
 * keep the answers in memory until those before are read.
 */
export function serializePipelined(): RequestHandler {
  const connections = new WeakMap<Socket, Turns>();
  return ({ socket }, response, next) => {
    // The previous answer has closed the connection.
    if (socket.writableEnded) return void socket.destroy();
    const turns = connections.get(socket);
    connections.set(socket, { last: response, waiting: 0 });
    if (!turns || turns.last.closed) return next();
    const waiting = turns.waiting + 1;
    if (waiting > MAX_WAITING) return void socket.destroy();
    connections.set(socket, { last: response, waiting });
    turns.last.once('close', () => {
      const latest = connections.get(socket);
      if (latest) latest.waiting--;
      if (!socket.destroyed) next();
    });
  };
}
