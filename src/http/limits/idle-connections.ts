import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { clientNetworkOf } from '../client-network.js';
import { followConnections } from '../follow-connections.js';

const log = new Logger('IdleConnections');

/**
 * Limits the connections without a request under way: those that are kept alive, and those that have not sent one yet.
 * One more closes one of the address that has most, so that nobody keeps others out by holding many.
 */
export function limitIdleConnections(server: Server, max: number): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  /** Those that have been idle since the last turn of the event loop. */
  let settled = new Set<Socket>();
  let isCrowded = false;
  let isClosing = false;
  const rest = (socket: Socket) => {
    idle.add(socket);
    if (idle.size <= max || isClosing) return;
    if (!isCrowded) log.warn(`More than ${max} idle connections: those of the address with most are closed.`);
    isCrowded = true;
    closeSome();
  };
  /** Later, since the request of a connection that looks idle may have come and not be read: the next turn reads it. */
  const closeSome = () => {
    isClosing = true;
    setImmediate(() => {
      settled = new Set(idle);
      setImmediate(() => {
        const excess = Math.max(idle.size - max, 0);
        const closed = mostHeldFirst([...settled]).slice(0, excess);
        for (const socket of closed) {
          leave(socket);
          socket.destroy();
        }
        settled.clear();
        isClosing = false;
        if (idle.size > max) closeSome();
      });
    });
  };
  const leave = (socket: Socket) => {
    idle.delete(socket);
    settled.delete(socket);
    if (idle.size < max / 2) isCrowded = false;
  };
  followConnections(server, { idle: rest, busy: leave, closed: leave });
}

/**
 * The order in which to close connections so that each is of the network that then has most, and is idle longest there.
 *
 * @param sockets in the order in which they became idle
 */
function mostHeldFirst(sockets: readonly Socket[]): Socket[] {
  const held = new Map<string, number>();
  const ranked = sockets.toReversed().map((socket) => {
    const network = clientNetworkOf({ ip: socket.remoteAddress });
    const rank = (held.get(network) ?? 0) + 1;
    held.set(network, rank);
    return { socket, rank };
  });
  return ranked
    .reverse()
    .sort((one, other) => other.rank - one.rank)
    .map(({ socket }) => socket);
}
