import type { Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../platform/domain-error.js';

/** A load balancer that asked `/health/ready` within this time is expected to ask again. */
const PROBE_MEMORY_MS = 60_000;
/** Time to close keep-alive connections with an answer, even without a load balancer. */
const KEEP_ALIVE_GRACE_MS = 200;
/**
 * How long requests may take that are open at the end of the drain, or come while workers end their syncs (30 s). Long
 * enough for asking a bank for a credential (20 s) and storing it, which cannot be repeated: the setup token is spent.
 */
const ANSWER_GRACE_MS = 40_000;
const IDLE_POLL_MS = 50;

/**
 * Stops serving without losing a request. First `/health/ready` answers 503 and every answer closes its connection,
 * while new requests are still served. Once load balancers have noticed, the listener closes and open requests finish.
 */
@Injectable()
export class DrainService implements BeforeApplicationShutdown {
  readonly #log = new Logger('Drain');
  readonly #begun = new AbortController();
  #server: Server | null = null;
  #lastProbeMs = -Infinity;

  /** Aborted when the drain begins: nothing long starts after that. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** For the readiness check. @throws DomainError `unavailable` while this instance stops */
  checkReady(): void {
    this.#lastProbeMs = performance.now();
    if (this.begun.aborted) throw stopping();
  }

  /**
   * Resolves when the listener may close: after the given time, or sooner if no load balancer asks for readiness.
   *
   * @param forced ends the wait
   */
  async drain(drainMs: number, forced: AbortSignal): Promise<void> {
    this.#begun.abort();
    const isWatched = performance.now() - this.#lastProbeMs < PROBE_MEMORY_MS;
    if (isWatched)
      this.#log.log(`Stopping in ${drainMs} ms; until then load balancers see that this instance is not ready.`);
    const waitMs = isWatched ? Math.max(drainMs, KEEP_ALIVE_GRACE_MS) : KEEP_ALIVE_GRACE_MS;
    await wait(waitMs, undefined, { signal: forced }).catch(() => undefined);
  }

  /**
   * @param server whose connections are closed when the application shuts down. During a drain each answer tells the
   * client to send no further request on its connection.
   */
  attach(server: Server): void {
    this.#server = server;
    const close = (_request: unknown, response: ServerResponse) => response.setHeader('Connection', 'close');
    this.begun.addEventListener('abort', () => server.prependListener('request', close));
  }

  /** The listener closes after it. Node waits for all connections then, and closes idle ones only once. */
  beforeApplicationShutdown(): void {
    this.#begun.abort();
    const server = this.#server;
    if (!server?.listening) return;
    const closingIdle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
    const closingAll = setTimeout(() => server.closeAllConnections(), ANSWER_GRACE_MS);
    server.once('close', () => {
      clearInterval(closingIdle);
      clearTimeout(closingAll);
    });
  }
}

export function stopping(): DomainError {
  return new DomainError('unavailable', 'This instance is stopping. Use another one.', { retryAfterSeconds: 5 });
}
