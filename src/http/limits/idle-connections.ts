import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { followConnections } from '../follow-connections.js';

const log = new Logger('IdleConnections');

/**
 * Limits the connections without a request under way: those that are kept alive, and those that have not sent one yet.
 * One more closes the one that has been idle longest, so that nobody keeps others out by holding many.
 */
export function limitIdleConnections(server: Server, max: number): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  let isCrowded = false;
  const rest = (socket: Socket) => {
    idle.add(socket);
    if (idle.size <= max) return;
    if (!isCrowded) log.warn(`More than ${max} idle connections: those idle longest are closed.`);
    isCrowded = true;
    const [longest] = idle;
    leave(longest!);
    longest!.destroy();
  };
  const leave = (socket: Socket) => {
    idle.delete(socket);
    if (idle.size < max / 2) isCrowded = false;
  };
  followConnections(server, { idle: rest, busy: leave, closed: leave });
}
