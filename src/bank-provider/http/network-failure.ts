import { ProviderError } from '../provider-error.js';

/** No connection was made, so nothing was sent. */
export class NotSentError extends ProviderError {}

/** What is wrong with the provider's certificate. */
const CERTIFICATE = /CERT|SELF_SIGNED|LEAF_SIGNATURE/;

interface Failure {
  codes: RegExp;
  words: (code: string) => string;
  /** Whether anything may have reached the provider. */
  isSent: boolean;
}

const FAILURES: readonly Failure[] = [
  {
    codes: /^EPRIVATE$/,
    words: () => 'The provider’s address resolves to this machine or a private network and was not contacted.',
    isSent: false,
  },
  failure(/^(ENOTFOUND|EAI_AGAIN)$/, 'The provider’s address was not found', false),
  failure(/^ECONNREFUSED$/, 'The provider refused the connection', false),
  failure(/^(EHOSTUNREACH|ENETUNREACH)$/, 'This server has no route to the provider', false),
  failure(/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'The connection to the provider was cut off', true),
  failure(CERTIFICATE, 'The provider’s certificate cannot be trusted, so nothing was sent', false),
  failure(/^/, 'The connection to the provider failed', true),
];

/** A failure whose sentence ends with the error code. */
function failure(codes: RegExp, sentence: string, isSent: boolean): Failure {
  return { codes, words: (code) => `${sentence} (${code}).`, isSent };
}

/** The error code, `ECONNRESET`. Never the message, which may hold the address. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  // Only the deadline cancels a request that is still waited for.
  if (code === 'ERR_CANCELED') return 'timeout';
  return typeof code === 'string' ? code : 'unknown';
}

/** A network error as a sentence for a person. */
export function networkError(code: string, timeoutMs: number): ProviderError {
  if (code === 'timeout')
    return new ProviderError('network', `The provider did not answer within ${timeoutMs / 1000} s.`);
  const { words, isSent } = FAILURES.find(({ codes }) => codes.test(code))!;
  return isSent ? new ProviderError('network', words(code)) : new NotSentError('network', words(code));
}

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
 * Whether a network error may be transient, by its code. An untrusted certificate and a refused address are permanent.
 */
export function isTransientError(code: string): boolean {
  return !/^(EPRIVATE|ERR_INVALID_URL)$|TLS|SSL/.test(code) && !CERTIFICATE.test(code);
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
