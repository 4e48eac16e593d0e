/** Retries after the first attempt. */
export const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 30_000;
const JITTER = 0.25;

/** Waits; injected so that tests do not. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** A server's trouble that may pass. Not 501, which says that it never will. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 && status !== 501;
}

/**
 * How long to wait before a retry: 2 s, 4 s, 8 s and up to a quarter more, 30 s at most.
 *
 * @param retry 1 for the first retry
 * @param random from 0 to 1
 */
export function retryDelayMs(retry: number, random: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (retry - 1) * (1 + JITTER * random));
}

/**
 * Seconds in a `Retry-After` header, which is a number or a date; `null` when it is neither.
 *
 * @param now for the date form
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
