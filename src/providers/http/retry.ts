/** Retries after the first attempt. */
export const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 30_000;
const JITTER = 0.25;
/** A longer wait is cut to a day, because it is probably a mistake of the server. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** Waits; injected so that tests do not. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Whether a server error may be transient. 501 is permanent. */
export function isTransientStatus(status: number): boolean {
  return status >= 500 && status !== 501;
}

/**
 * The wait before a retry: 2 s, 4 s and 8 s with up to a quarter of jitter, or as long as the server asks for.
 *
 * @param retry 1 for the first retry
 * @param random from 0 to 1
 * @param askedSeconds what the server asks for, if it does
 * @returns `null`: no retry, because the server asks for more than 30 s
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
  // Date.parse accepts almost anything, so the form is checked first.
  const at = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) return null;
  const seconds = Math.ceil((at - now.getTime()) / 1000);
  return Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS);
}
