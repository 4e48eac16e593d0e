import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  atOneMoment,
  AuditTrailService,
  Clock,
  credentialOwner,
  CredentialVault,
  DomainError,
  isUuid,
  lockUser,
  newestRevision,
  offsetOf,
  type PageQuery,
  PublicHttp,
  reader,
  recordNotFound,
  type Secret,
  validationFailed,
} from '../../../kit.js';
import type { WebhookEventType } from '../event-types.js';
import { newSigningSecret } from '../message/signing.js';
import { SendWebhooksService } from '../sending/send-webhooks.service.js';
import {
  AFRESH,
  type DisabledReason,
  type EndpointStatus,
  nameOf,
  subjectOf,
  WebhookEndpoint,
} from './webhook-endpoint.entity.js';
import { WebhookSecret } from './webhook-secret.entity.js';

/** Per person: each endpoint has a delivery under way and a log of its own. */
export const MAX_ENDPOINTS = 10;
/** How long a secret is valid beside the one that replaces it. */
const OLD_SECRET_MS = 24 * 3_600_000;
const NEWEST_FIRST = { createdAt: 'desc', id: 'asc' } as const;

/** A webhook that was not disabled by its person. */
export type StoppedWebhook = Pick<WebhookEndpoint, 'id' | 'url' | 'description' | 'disabledReason'>;

export interface EndpointDraft {
  url: string;
  description: string;
  eventTypes: readonly WebhookEventType[];
}

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: CredentialVault,
    private readonly http: PublicHttp,
    private readonly sending: SendWebhooksService,
    private readonly audit: AuditTrailService,
    private readonly clock: Clock,
  ) {}

  async listPage(userId: string, page: PageQuery): Promise<{ rows: WebhookEndpoint[]; totalCount: number }> {
    const options = { orderBy: NEWEST_FIRST, limit: page.per_page, offset: offsetOf(page) };
    const [rows, totalCount] = await atOneMoment(this.em, (em) =>
      em.findAndCount(WebhookEndpoint, { userId }, options),
    );
    return { rows, totalCount };
  }

  /** @throws DomainError `record_not_found` */
  async get(userId: string, id: string): Promise<WebhookEndpoint> {
    const found = isUuid(id) ? await reader(this.em).findOne(WebhookEndpoint, { userId, id }) : null;
    if (!found) throw recordNotFound('webhook');
    return found;
  }

  /** The webhooks that were disabled, but not by the person. */
  listStopped(userId: string): Promise<StoppedWebhook[]> {
    return this.em
      .getKysely<InferClassEntityDB<typeof WebhookEndpoint>>()
      .selectFrom('webhook_endpoints')
      .select(['id', 'url', 'description', 'disabled_reason as disabledReason'])
      .where('user_id', '=', userId)
      .where('status', '=', 'disabled')
      .where('disabled_reason', '<>', 'person')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
  }

  /**
   * Creates an endpoint that gets changes from now on.
   *
   * @returns the endpoint and its secret, which cannot be shown again
   * @throws DomainError `validation_failed`; `conflict` when the person has as many as one may have
   */
  create(userId: string, draft: EndpointDraft): Promise<{ endpoint: WebhookEndpoint; secret: Secret }> {
    const url = this.#normalizeUrl(draft.url);
    return this.em.transactional(async (em) => {
      await this.#refuseMany(em, userId);
      const endpoint = em.create(WebhookEndpoint, {
        userId,
        id: randomUUID(),
        ...draft,
        url,
        status: 'enabled',
        position: (await newestRevision(em, userId)).revision,
        createdAt: this.clock.now(),
      });
      await em.persist(endpoint).flush();
      const secret = await this.#addSecret(em, endpoint);
      await this.audit.record({ userId, kind: 'webhook_created', ...subjectOf(endpoint) });
      return { endpoint, secret };
    });
  }

  /**
   * Changes what is given. An endpoint that is enabled again continues where it stopped.
   *
   * @throws DomainError `record_not_found`, `validation_failed`; `conflict` when it has no secret to sign with
   */
  edit(userId: string, id: string, changes: Partial<EndpointDraft & { status: EndpointStatus }>) {
    const url = changes.url === undefined ? {} : { url: this.#normalizeUrl(changes.url) };
    return this.em.transactional(async (em) => {
      const endpoint = await lockEndpoint(em, userId, id);
      const { status, ...others } = changes;
      if (status === 'enabled' && !(await em.count(WebhookSecret, { userId, endpointId: id, expiresAt: null }))) {
        throw new DomainError('conflict', 'Its signing secret is lost: rotate it before you enable the webhook.');
      }
      const isMoved = url.url !== undefined && url.url !== endpoint.url;
      const isSwitched = status !== undefined && status !== endpoint.status;
      Object.assign(endpoint, others, url);
      if (isSwitched) this.#switch(endpoint, status);
      // The failures were those of the old address, and so is the answer to a message under way.
      if (isMoved || isSwitched) Object.assign(endpoint, AFRESH);
      await em.flush();
      if (endpoint.status === 'enabled') await this.sending.wake(endpoint);
      await this.audit.record({ userId, kind: 'webhook_changed', ...subjectOf(endpoint) });
      return endpoint;
    });
  }

  #switch(endpoint: WebhookEndpoint, status: EndpointStatus): void {
    const isEnabled = status === 'enabled';
    Object.assign(endpoint, {
      status,
      disabledReason: isEnabled ? null : 'person',
      disabledAt: isEnabled ? null : this.clock.now(),
    });
  }

  /**
   * Adds a new secret. For a day messages are also signed with the previous one; an older one ends at once.
   *
   * @throws DomainError `record_not_found`
   */
  rotateSecret(userId: string, id: string): Promise<{ secret: Secret; previousExpiresAt: Date }> {
    return this.em.transactional(async (em) => {
      const endpoint = await lockEndpoint(em, userId, id);
      const previousExpiresAt = new Date(this.clock.now().getTime() + OLD_SECRET_MS);
      await em.nativeDelete(WebhookSecret, { userId, endpointId: id, expiresAt: { $ne: null } });
      await em.nativeUpdate(WebhookSecret, { userId, endpointId: id }, { expiresAt: previousExpiresAt });
      const secret = await this.#addSecret(em, endpoint);
      await this.audit.record({ userId, kind: 'webhook_secret_rotated', ...subjectOf(endpoint) });
      return { secret, previousExpiresAt };
    });
  }

  /** A message under way is still sent. @throws DomainError `record_not_found` */
  async remove(userId: string, id: string): Promise<void> {
    await this.em.transactional(async (em) => {
      const endpoint = await lockEndpoint(em, userId, id);
      await em.nativeDelete(WebhookEndpoint, { userId, id });
      await this.audit.record({ userId, kind: 'webhook_removed', ...subjectOf(endpoint) });
    });
  }

  async #addSecret(em: EntityManager, { userId, id: endpointId }: WebhookEndpoint): Promise<Secret> {
    const secret = newSigningSecret();
    const id = randomUUID();
    const credential = this.vault.seal(secret, credentialOwner({ userId, id }));
    const created = { userId, id, endpointId, credential, createdAt: this.clock.now(), expiresAt: null };
    await em.persist(em.create(WebhookSecret, created)).flush();
    return secret;
  }

  /** @returns the normalized address. Text such as `https:host` with a line break is valid, too. */
  #normalizeUrl(text: string): string {
    const url = new URL(text);
    const refusal = this.http.refusalOf(url);
    if (refusal) throw validationFailed([`url ${refusal}`]);
    return url.href;
  }

  /** With the person locked, so that parallel requests are counted one after the other. */
  async #refuseMany(em: EntityManager, userId: string): Promise<void> {
    await lockUser(em, userId);
    if ((await em.count(WebhookEndpoint, { userId })) < MAX_ENDPOINTS) return;
    throw new DomainError('conflict', `You have ${MAX_ENDPOINTS} webhooks, which is the limit. Remove one first.`);
  }
}

/** @throws DomainError `record_not_found` */
export async function lockEndpoint(em: EntityManager, userId: string, id: string): Promise<WebhookEndpoint> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const found = isUuid(id) ? await em.findOne(WebhookEndpoint, { userId, id }, lock) : null;
  if (!found) throw recordNotFound('webhook');
  return found;
}

const REASONS: Record<Exclude<DisabledReason, 'person'>, string> = {
  gone: 'was disabled because it answered 410 Gone.',
  failing: 'was disabled after failing for three days.',
  secret_lost: 'was disabled because its signing secret is lost. Rotate the secret, then enable it.',
};

/** Why Tidemark disabled a webhook, in a sentence. */
export function stoppedText(endpoint: StoppedWebhook): string {
  return `The webhook “${nameOf(endpoint)}” ${REASONS[endpoint.disabledReason as keyof typeof REASONS]}`;
}
