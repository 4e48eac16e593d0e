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
