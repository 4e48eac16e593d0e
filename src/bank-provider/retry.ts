/** Retries after the first attempt. */
export const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 30_000;
const JITTER = 0.25;
/** A server that asks for a longer wait is asked again after a day all the same: it may have meant something else. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Waits; injected so that tests do not. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** A server's trouble that may pass. Not 501, which says that it never will. */
export function isPassingStatus(status: number): boolean {
  return status >= 500 && status !== 501;
}

/**
 * Whether a failed connection may work a moment later, by its error code. A certificate that is not trusted and an
 * address that is not allowed stay what they are.
 */
export function isPassingError(code: string): boolean {
  return !/^(EPRIVATE|ERR_INVALID_URL)$|CERT|TLS|SSL|SELF_SIGNED/.test(code);
}

/**
 * How long to wait before a retry: 2 s, 4 s, 8 s and up to a quarter more, or as long as the server asks for.
 *
 * @param retry 1 for the first retry
 * @param random from 0 to 1
 * @param askedSeconds what the server asks for, if it does
 * @returns `null` when the server asks for more than the 30 s that are worth waiting: then there is no retry
 */
export function retryDelayMs(retry: number, random: number, askedSeconds: number | null = null): number | null {
  const askedMs = (askedSeconds ?? 0) * 1000;
  if (askedMs > MAX_DELAY_MS) return null;
  const usualMs = FIRST_DELAY_MS * 2 ** (retry - 1) * (1 + JITTER * random);
  return Math.min(MAX_DELAY_MS, Math.max(usualMs, askedMs));
}

/**
 * Seconds in a `Retry-After` header, which is a number or a date, at most a day; `null` when it is neither.
 *
 * @param now for the date form
 */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS);
  // Date.parse finds a date in almost anything, so that only what looks like one may reach it.
  const at = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) return null;
  const seconds = Math.ceil((at - now.getTime()) / 1000);
  return Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS);
}
