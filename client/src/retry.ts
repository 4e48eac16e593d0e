/** When a request is sent again. */
export interface RetryOptions {
  /** How often at most; 0 = never. Default 3. */
  retries?: number;
  /** Before the first retry; doubled before each later one, with jitter. Default 500. */
  baseDelayMs?: number;
  /** A service that asks for a longer wait than this gets none: its error is thrown. Default 60,000. */
  maxDelayMs?: number;
}

/** An answer that was read to its end. */
export interface WholeAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** The answer to the last attempt. */
export interface LastAnswer extends WholeAnswer {
  /** An attempt before it had no answer: the service may have done what was asked. */
  mayBeDone: boolean;
}

const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** 409 asks to wait only while the first request with the same idempotency key is still running. */
function isRetried({ status, headers }: WholeAnswer): boolean {
  return RETRIED_STATUSES.has(status) || (status === 409 && headers.has('retry-after'));
}

/**
 * Sends until the answer asks for no retry, or all retries are used. Waits as long as `Retry-After` says. Sending twice
 * has the effect of sending once: a POST and a PUT have an idempotency key.
 */
export async function withRetries(
  send: () => Promise<WholeAnswer>,
  { retries = 3, baseDelayMs = 500, maxDelayMs = 60_000 }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<LastAnswer> {
  let mayBeDone = false;
  for (let attempt = 0; ; attempt++) {
    const backoffMs = baseDelayMs * 2 ** attempt * (0.5 + Math.random() / 2);
    let delayMs = backoffMs;
    try {
      const answer = await send();
      if (!isRetried(answer) || attempt >= retries) return { ...answer, mayBeDone };
      delayMs = retryAfterMs(answer.headers.get('retry-after')) ?? backoffMs;
      if (delayMs > maxDelayMs) return { ...answer, mayBeDone };
    } catch (error) {
      if (signal?.aborted || attempt >= retries) throw error;
      mayBeDone = true;
    }
    await wait(Math.min(delayMs, maxDelayMs), signal);
  }
}

/** Of seconds or a date (RFC 9110); `null` where there is none. */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | null {
  if (!header) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
