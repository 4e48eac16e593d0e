import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AuditTrailService } from '../../../auth/audit/audit-trail.service.js';
import { CHANGES_CHANNEL } from '../../../database/change-log/note-changes.js';
import { Config } from '../../../platform/config/config.js';
import type { Secret } from '../../../platform/config/secret.js';
import { ClockCheck } from '../../../database/clock-check.service.js';
import { DatabaseListener } from '../../../database/listener.js';
import { DrainService } from '../../../http/drain.service.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import { Clock } from '../../../platform/time/clock.js';
import { credentialOwner, CredentialVault } from '../../../platform/vault/credential-vault.js';
import { DELIVERIES_CHANNEL } from '../deliveries/webhook-deliveries.service.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookSecret } from '../endpoints/webhook-secret.entity.js';
import { nameOf, subjectOf } from '../endpoints/webhook-endpoints.service.js';
import { signatureHeaders } from '../message/signing.js';
import { type Exchange, WebhookSender } from '../message/webhook-sender.js';
import { type DueEndpoint, LeasesQueries } from './leases.queries.js';
import { type EndpointLease, type NextDelivery, takeNext } from './outbox.js';
import { recordAttempt } from './record-attempt.js';

/** How often to poll for due endpoints without a notification: for retries, and in case one was missed. */
const POLL_INTERVAL_MS = 5_000;
/** Endpoints that one instance sends to at the same time; each has one message under way. */
const MAX_ENDPOINTS_AT_ONCE = 16;
/** Per person, so that slow endpoints of one do not block those of others. */
const MAX_ENDPOINTS_OF_PERSON = 4;
/** After so many messages, or so long, another waiting endpoint has its turn. */
const MAX_MESSAGES_IN_A_ROW = 50;
const MAX_TURN_MS = 10_000;

/**
 * Sends the changes of the change log to endpoints, in order and at least once. No transaction is open while a message
 * is under way: the lease keeps other workers away, and the result is written while the lease lasts. The lease of a
 * worker that died expires, and its message is sent again under the same id.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Webhooks');
  readonly #stopping = new AbortController();
  /** By endpoint. */
  readonly #sending = new Map<string, { userId: string; ended: Promise<void> }>();
  #polling: Promise<void> | null = null;
  /** The people whose endpoints the next poll looks for; `null`: everybody's. */
  #peopleToPoll: Set<string> | null = new Set();
  /** Whether an endpoint was due, or may have been, and there was no room for it. */
  #isCrowded = false;
  #isStarted = false;

  constructor(
    private readonly em: EntityManager,
    private readonly leases: LeasesQueries,
    private readonly sender: WebhookSender,
    private readonly vault: CredentialVault,
    private readonly audit: AuditTrailService,
    private readonly metrics: MetricsService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly drain: DrainService,
    private readonly clockCheck: ClockCheck,
    listener: DatabaseListener,
  ) {
    for (const channel of [CHANGES_CHANNEL, DELIVERIES_CHANNEL]) {
      listener.subscribe(channel, {
        onMessage: (userId) => void this.#guardedPoll(userId),
        onGap: () => void this.#guardedPoll(null),
      });
    }
  }

  onApplicationBootstrap(): void {
    if (this.config.role === 'api') return;
    this.#isStarted = true;
    this.drain.begun.addEventListener('abort', () => this.#stopping.abort());
  }

  @Interval('webhooks', POLL_INTERVAL_MS)
  pollRegularly(): Promise<void> {
    return this.#guardedPoll(null);
  }

  /** Aborts messages under way. Another instance sends them again under the same id. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  /**
   * Finds due endpoints and begins to send to them, as far as there is room. Callers during a poll share the next one.
   *
   * @param userId only this person's endpoints; `null`: everybody's
   */
  poll(userId: string | null = null): Promise<void> {
    if (userId === null) this.#peopleToPoll = null;
    else this.#peopleToPoll?.add(userId);
    return (this.#polling ??= this.#pollWhileRequested().finally(() => (this.#polling = null)));
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.#polling || this.#sending.size > 0) {
      await this.#polling;
      await Promise.all([...this.#sending.values()].map(({ ended }) => ended));
    }
  }

  async #pollWhileRequested(): Promise<void> {
    while (this.#peopleToPoll?.size !== 0 && !this.#stopping.signal.aborted) {
      const people = this.#peopleToPoll && [...this.#peopleToPoll];
      this.#peopleToPoll = new Set();
      if (this.#sending.size >= MAX_ENDPOINTS_AT_ONCE) {
        // The end of a turn polls for all people: an endpoint found now would be served before those that wait.
        this.#isCrowded = true;
        continue;
      }
      for (const due of await this.leases.findDue(this.clock.now(), people)) this.#begin(due);
    }
  }

  #begin(due: DueEndpoint): void {
    const { userId, endpointId } = due;
    const ofUser = [...this.#sending.values()].filter((other) => other.userId === userId).length;
    const isFull = this.#sending.size >= MAX_ENDPOINTS_AT_ONCE || ofUser >= MAX_ENDPOINTS_OF_PERSON;
    this.#isCrowded ||= isFull;
    if (isFull || this.#sending.has(endpointId) || this.#stopping.signal.aborted) return;
    const ended = this.#serve(due)
      .catch((error: unknown) => this.#warn('Webhook delivery failed; retrying', error))
      .then((mayHaveMore) => {
        this.#sending.delete(endpointId);
        if (!mayHaveMore) return;
        // Endpoints that found no room are waiting, too.
        const isCrowded = this.#isCrowded;
        this.#isCrowded = false;
        void this.#guardedPoll(isCrowded ? null : userId);
      });
    this.#sending.set(endpointId, { userId, ended });
  }

  /** @returns whether another endpoint may be due now */
  async #serve(due: DueEndpoint): Promise<boolean> {
    const lease = await this.leases.take(due);
    if (!lease) return false;
    const begun = this.clock.now();
    const isOver = () => this.clock.now().getTime() - begun.getTime() >= MAX_TURN_MS || this.#stopping.signal.aborted;
    try {
      for (let sent = 0; sent < MAX_MESSAGES_IN_A_ROW && !isOver(); sent++) {
        if (!(await this.leases.renew(lease))) break;
        const next = await this.em.transactional((em) => takeNext(em, lease, this.clock.now()));
        if (!next) break;
        await this.#send(lease, next);
      }
    } finally {
      await this.leases.release(lease);
    }
    return true;
  }

  async #send(lease: EndpointLease, { delivery, url, secrets }: NextDelivery): Promise<void> {
    const { messageId, payload: body } = delivery;
    const at = this.clock.now();
    const exchange = await this.#exchange(url, body, () =>
      signatureHeaders({ messageId, body, at, secrets: secrets.map((secret) => this.#open(secret)) }),
    );
    this.metrics.countWebhookAttempt(exchange.problem === null ? 'delivered' : 'failed');
    const attempt = { deliveryId: delivery.id, exchange, at, random: Math.random() };
    await this.em.transactional(async (em) => {
      const disabled = await recordAttempt(em, lease, attempt);
      if (disabled) await this.#reportDisabled(disabled);
    });
  }

  async #exchange(url: string, body: string, sign: () => Record<string, string>): Promise<Exchange> {
    let headers: Record<string, string>;
    try {
      headers = sign();
    } catch (error) {
      this.#warn('Signing a webhook message failed', error);
      const problem = 'It could not be signed. See the log of Tidemark.';
      return { status: null, retryAfterSeconds: null, body: null, problem, durationMs: 0 };
    }
    return this.sender.post({ url, headers, body }, this.#stopping.signal);
  }

  #open({ userId, id, credential }: WebhookSecret): Secret {
    return this.vault.open(credential, credentialOwner({ userId, id }));
  }

  async #reportDisabled(endpoint: WebhookEndpoint): Promise<void> {
    const { userId, id, disabledReason } = endpoint;
    const reason = disabledReason === 'gone' ? 'gone' : 'failing';
    const why = reason === 'gone' ? 'it answered 410' : 'it has failed for three days';
    this.#log.warn({ message: `The webhook ${nameOf(endpoint)} was disabled: ${why}`, webhook: id });
    this.metrics.countWebhookDisabled(reason);
    await this.audit.record({ userId, kind: 'webhook_disabled', ...subjectOf(endpoint), isByItself: true });
  }

  async #guardedPoll(userId: string | null): Promise<void> {
    if (!this.#isStarted || this.#stopping.signal.aborted || this.clockCheck.problem) return;
    await this.poll(userId).catch((error: unknown) =>
      this.#warn('Polling for webhook deliveries failed; retrying', error),
    );
  }

  #warn(what: string, error: unknown): void {
    if (!this.#stopping.signal.aborted) this.#log.warn(`${what}: ${String(error)}`);
  }
}
