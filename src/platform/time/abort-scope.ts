interface AbortScope {
  /** Each of these aborts the work, with its reason. */
  signals: readonly AbortSignal[];
  /** Deadline of the work; absent: none. */
  timeoutMs?: number;
  /** The abort reason of the deadline. */
  timeoutReason?: () => Error;
}

/** Runs work with one signal for several and a deadline. `AbortSignal.timeout` has no reason of one's own. */
export async function withAbortScope<T>(scope: AbortScope, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signals, timeoutMs, timeoutReason = timedOut } = scope;
  const deadline = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => deadline.abort(timeoutReason()), timeoutMs);
  try {
    return await work(AbortSignal.any([...signals, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result of work, or a rejection as soon as the signal aborts. Work that ignores the signal continues, but nobody
 * waits for it.
 */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
    void work.finally(() => signal.removeEventListener('abort', fail)).then(resolve, reject);
  });
}

function timedOut(): Error {
  return new DOMException('The deadline has passed.', 'TimeoutError');
}
