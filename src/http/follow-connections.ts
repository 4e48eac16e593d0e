import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface ConnectionListener {
  /** No request is under way: the connection is new, or its last answer has been sent. */
  idle: (socket: Socket) => void;
  /** A request has arrived; no part of its answer is sent yet. */
  busy: (socket: Socket, response: ServerResponse) => void;
  closed: (socket: Socket) => void;
}

/** Tells when each connection of a server becomes idle or busy. A client may send requests ahead, and may go meanwhile. */
export function followConnections(server: Server, { idle, busy, closed }: ConnectionListener): void {
  const lastAnswer = new WeakMap<Socket, ServerResponse>();
  server.prependListener('connection', (socket) => {
    idle(socket);
    socket.once('close', () => closed(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    lastAnswer.set(socket, response);
    busy(socket, response);
    response.once('close', () => {
      if (!socket.destroyed && lastAnswer.get(socket) === response) idle(socket);
    });
  });
}
