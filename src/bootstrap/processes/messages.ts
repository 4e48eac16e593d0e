import type { Worker } from 'node:cluster';
import type { Lifecycle } from '../lifecycle.js';

/** To a process that another one has replaced: finish what is open, and end. */
export const LEAVE = 'leave';

/** Tells the supervisor that this process serves. */
export function tellAddress(address: string): void {
  process.send?.({ address });
}

/** @returns where the process that sent this message serves; null for any other message */
export function addressIn(message: unknown): string | null {
  const { address } = (message ?? {}) as { address?: unknown };
  return typeof address === 'string' ? address : null;
}

/**
 * Stops this process in order when its supervisor is gone: it finishes what is open, and the last one stops the embedded
 * PostgreSQL. Node.js would exit at once, unless it thinks that the end was asked for.
 */
export function stopWithSupervisor(self: Worker, lifecycle: Lifecycle): void {
  self.exitedAfterDisconnect = true;
  process.once('disconnect', () => {
    process.stderr.write('The supervisor has exited, so this process stops.\n');
    lifecycle.stop();
  });
}
