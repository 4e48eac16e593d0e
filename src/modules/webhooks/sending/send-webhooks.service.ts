import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import {
  AuditTrailService,
  Clock,
  credentialOwner,
  CredentialVault,
  type Exchange,
  type Job,
  JobQueue,
  MetricsService,
  PublicHttp,
  reader,
  type Secret,
} from '../../../kit.js';
import { nameOf, subjectOf, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookSecret } from '../endpoints/webhook-secret.entity.js';
import { signatureHeaders } from '../message/signing.js';
import { type Endpoint, type NextDelivery, secondsUntilDue, takeNext } from './outbox.js';
import { recordAttempt } from './record-attempt.js';

const QUEUE = 'webhooks';
const OPTIONS = {
  retryLimit: 1_000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 300,
  /** An installation may rest for longer than the two weeks after which waiting jobs are deleted. */
  retentionSeconds: 400 * 86_400,
};
/** Endpoints that one instance sends to at the same time, and those of one person among them. */
const WORK = { localConcurrency: 8, localGroupConcurrency: 4, pollingIntervalSeconds: 10 };
/** Then another endpoint has its turn. */
const TURN_MS = 10_000;

/**
 * Sends to endpoints. A job wakes one endpoint and says no more: what it gets is in the change log, after its position. No
 * transaction is open while a message is under way. The job of a worker that died goes to another one, which sends the
 * message again under the same id.
 */
@Injectable()
export class SendWebhooksService implements OnApplicationBootstrap {
  readonly #log = new Logger('Webhooks');
  readonly #countAttempt: (result: 'delivered' | 'failed') => void;
  readonly #countDisabled: (reason: 'gone' | 'failing') => void;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly http: PublicHttp,
    private readonly vault: CredentialVault,
    private readonly audit: AuditTrailService,
    private readonly clock: Clock,
    metrics: MetricsService,
  ) {
    const attempts = {
      name: 'tidemark_webhook_attempts_total',
      help: 'Messages that this instance tried to deliver to webhooks, by result.',
    };
    const disabled = {
      name: 'tidemark_webhooks_disabled_total',
      help: 'Webhooks that this instance disabled: they answered 410, or failed for three days.',
    };
    this.#countAttempt = metrics.addCounter(attempts, 'result', ['delivered', 'failed']);
    this.#countDisabled = metrics.addCounter(disabled, 'reason', ['gone', 'failing']);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.addQueue(QUEUE, OPTIONS);
    await this.jobs.work<Endpoint>(QUEUE, WORK, (job, signal) => this.#takeTurn(job, signal));
  }

  /** Wakes the endpoints of a person, in the transaction that notices a change. One that waits for a retry goes on waiting. */
  async wakeAll(userId: string): Promise<void> {
    const endpoints = await this.em.find(WebhookEndpoint, { userId, status: 'enabled' });
    if (endpoints.length > 0) await this.jobs.add(this.em, QUEUE, endpoints.map(jobOf));
  }

  /** Wakes an endpoint now, in the transaction that has locked it. */
  async wake(endpoint: WebhookEndpoint): Promise<void> {
    await this.jobs.addNow(this.em, QUEUE, jobOf(endpoint));
  }

  /** Sends everything that is due, here and now. For tests. */
  async settle(): Promise<void> {
    const endpoints = await reader(this.em).find(WebhookEndpoint, { status: 'enabled' });
    for (const { userId, id } of endpoints) await this.#send({ userId, id }, new AbortController().signal);
  }

  async #takeTurn(job: Job<Endpoint>, signal: AbortSignal): Promise<void> {
    await this.#send(job.data, signal);
    await this.em.transactional(async (em) => {
      const endpoint = await em.findOne(WebhookEndpoint, job.data, { lockMode: LockMode.PESSIMISTIC_WRITE });
      // First: whoever adds a job from now on waits for this transaction. What came before, the next statements find.
      await this.jobs.complete(em, job);
      const startAfter = endpoint && (await secondsUntilDue(em, endpoint, this.clock.now()));
      if (startAfter !== null) await this.jobs.add(em, QUEUE, [{ ...jobOf(endpoint!), startAfter }]);
    });
  }

  async #send(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    const endMs = this.clock.now().getTime() + TURN_MS;
    do {
      const next = await this.em.transactional((em) => takeNext(em, endpoint, this.clock.now()));
      if (!next) return;
      await this.#attempt(next, signal);
    } while (!signal.aborted && this.clock.now().getTime() < endMs);
  }

  async #attempt({ endpoint, delivery, secrets }: NextDelivery, signal: AbortSignal): Promise<void> {
    const { messageId, payload: body } = delivery;
    const at = this.clock.now();
    const exchange = await this.#exchange(
      () => signatureHeaders({ messageId, body, at, secrets: secrets.map((secret) => this.#open(secret)) }),
      (headers) => this.http.post({ url: endpoint.url, headers, body }, signal),
    );
    this.#countAttempt(exchange.problem === null ? 'delivered' : 'failed');
    await this.em.transactional(async (em) => {
      const disabled = await recordAttempt(em, { endpoint, delivery, exchange, at, random: Math.random() });
      if (disabled) await this.#reportDisabled(disabled);
    });
  }

  async #exchange(
    sign: () => Record<string, string>,
    post: (headers: Record<string, string>) => Promise<Exchange>,
  ): Promise<Exchange> {
    let headers: Record<string, string>;
    try {
      headers = sign();
    } catch (error) {
      this.#log.warn(`Signing a webhook message failed: ${String(error)}`);
      const problem = 'It could not be signed. See the log of Tidemark.';
      return { status: null, retryAfterSeconds: null, body: null, problem, durationMs: 0 };
    }
    return post(headers);
  }

  #open({ userId, id, credential }: WebhookSecret): Secret {
    return this.vault.open(credential, credentialOwner({ userId, id }));
  }

  async #reportDisabled(endpoint: WebhookEndpoint): Promise<void> {
    const { userId, id, disabledReason } = endpoint;
    const reason = disabledReason === 'gone' ? 'gone' : 'failing';
    const why = reason === 'gone' ? 'it answered 410' : 'it has failed for three days';
    this.#log.warn({ message: `The webhook ${nameOf(endpoint)} was disabled: ${why}`, webhook: id });
    this.#countDisabled(reason);
    await this.audit.record({ userId, kind: 'webhook_disabled', ...subjectOf(endpoint), isByItself: true });
  }
}

function jobOf({ userId, id }: WebhookEndpoint) {
  return { singletonKey: id, group: { id: userId }, data: { userId, id } };
}
