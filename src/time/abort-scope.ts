export interface AbortScope {
  /** The work is aborted with any of these, and with its reason. */
  signals: readonly AbortSignal[];
  /** The work is aborted after so long; absent: it may take for ever. */
  timeoutMs?: number;
  /** What the work is aborted with when its time is up. */
  timeoutReason?: () => Error;
}

/**
 * Runs work with one signal that follows several, and a deadline. In place of `AbortSignal.any` and `.timeout`: Node 20
 * keeps their sources by weak references, a garbage collection takes a timeout away, and what waits for it waits for ever.
 * Here the timer and the sources hold the controller, and both let go of it when the work ends.
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
 * The result of work, or a rejection as soon as the signal aborts: also of work that does not listen to it, which then
 * goes on without anybody waiting.
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
  return new DOMException('The time is up.', 'TimeoutError');
}
