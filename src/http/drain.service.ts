import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { followConnections } from './follow-connections.js';

/** A load balancer that asked `/health/ready` within this time is expected to ask again. */
const PROBE_MEMORY_MS = 60_000;
/** Time to close keep-alive connections with an answer, even without a load balancer. */
const KEEP_ALIVE_GRACE_MS = 200;
/**
 * How long requests that were open at the end of the drain may take. Long enough for asking a bank for a credential (20 s)
 * and storing it, which cannot be repeated: the setup token is spent. None of those begins during the drain.
 */
const ANSWER_GRACE_MS = 25_000;
/** For requests that came before the listener closed, which may be much later: workers end their syncs in between. */
const LATE_GRACE_MS = 5_000;
const IDLE_POLL_MS = 50;

/**
 * Stops serving without losing a request. First `/health/ready` answers 503 and every answer closes its connection,
 * while new requests are still served. Once load balancers have noticed, the listener closes and open requests finish.
 */
@Injectable()
export class DrainService {
  readonly #log = new Logger('Drain');
  readonly #begun = new AbortController();
  /**
   * The answer under way of each connection. With a set of answers, which changes with every request, V8 keeps many of
   * them until a major collection.
   */
  readonly #unsent = new Map<Socket, ServerResponse | null>();
  #lastProbeMs = -Infinity;
  #drainedAtMs: number | null = null;

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
    this.#begin();
    const isWatched = performance.now() - this.#lastProbeMs < PROBE_MEMORY_MS;
    if (isWatched)
      this.#log.log(`Stopping in ${drainMs} ms; until then load balancers see that this instance is not ready.`);
    const waitMs = isWatched ? Math.max(drainMs, KEEP_ALIVE_GRACE_MS) : KEEP_ALIVE_GRACE_MS;
    await wait(waitMs, undefined, { signal: forced }).catch(() => undefined);
    this.#drainedAtMs = performance.now();
  }

  /** Closes connections during a drain, and lets the server's `close` end although clients keep connections open. */
  attach(server: Server): void {
    followConnections(server, {
      idle: (socket) => this.#unsent.set(socket, null),
      busy: (socket, response) => {
        this.#unsent.set(socket, response);
        if (this.begun.aborted) closeAfter(response);
      },
      closed: (socket) => this.#unsent.delete(socket),
    });
    const close = server.close.bind(server);
    server.close = (done) => {
      this.#begin();
      // Node closes idle connections only once.
      const closingIdle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
      const sinceDrainMs = this.#drainedAtMs === null ? 0 : performance.now() - this.#drainedAtMs;
      const graceMs = Math.max(ANSWER_GRACE_MS - sinceDrainMs, LATE_GRACE_MS);
      const closingAll = setTimeout(() => server.closeAllConnections(), graceMs);
      return close((error) => {
        clearInterval(closingIdle);
        clearTimeout(closingAll);
        done?.(error);
      });
    };
  }

  #begin(): void {
    this.#begun.abort();
    for (const response of this.#unsent.values()) if (response) closeAfter(response);
  }
}

export function stopping(): DomainError {
  return new DomainError('unavailable', 'This instance is stopping. Use another one.', { retryAfterSeconds: 5 });
}

/** Tells the client to send no further request on this connection. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
