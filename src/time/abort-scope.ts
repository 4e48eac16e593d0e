interface AbortScope {
  /** Each of these aborts the work, with its reason. */
  signals: readonly AbortSignal[];
  /** Deadline of the work; absent: none. */
  timeoutMs?: number;
  /** The abort reason of the deadline. */
  timeoutReason?: () => Error;
}

/**
 * Runs work with one signal that combines several and a deadline. It replaces `AbortSignal.any` and `.timeout`, whose
 * sources Node 20 references weakly: after a garbage collection they may never fire. Here the timer and the sources
 * reference the controller until the work ends.
 */
export async function withAbortScope<T>(scope: AbortScope, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signals, timeoutMs, timeoutReason = timedOut } = scope;
  const controller = new AbortController();
  const releases = signals.map((source) => follow(source, controller));
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(timeoutReason()), timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const release of releases) release();
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

function follow(source: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(source.reason);
  if (source.aborted) abort();
  else source.addEventListener('abort', abort, { once: true });
  return () => source.removeEventListener('abort', abort);
}

function timedOut(): Error {
  return new DOMException('The deadline has passed.', 'TimeoutError');
}
