import { randomUUID } from 'node:crypto';
import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  atOneMoment,
  Clock,
  DomainError,
  isUuid,
  newestRevision,
  offsetOf,
  type PageQuery,
  reader,
  recordNotFound,
} from '../../../kit.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { lockEndpoint } from '../endpoints/webhook-endpoints.service.js';
import { TEST_EVENT } from '../event-types.js';
import { messageIdOf } from '../message/signing.js';
import { SendWebhooksService } from '../sending/send-webhooks.service.js';
import { type DeliveryStatus, type DeliveryTrigger, WebhookDelivery } from './webhook-delivery.entity.js';

/** Tests and replays that wait for one endpoint. */
const MAX_REQUESTED = 10;

type Message = Pick<WebhookDelivery, 'messageId' | 'eventType' | 'payload'>;

/** Lists deliveries, and sends tests and replays. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly em: EntityManager,
    private readonly sending: SendWebhooksService,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async listPage(
    { userId, id: endpointId }: Pick<WebhookEndpoint, 'userId' | 'id'>,
    { status, ...page }: PageQuery & { status?: DeliveryStatus },
  ): Promise<{ rows: WebhookDelivery[]; totalCount: number }> {
    const where: FilterQuery<WebhookDelivery> = { userId, endpointId, ...(status && { status }) };
    const options = { orderBy: { number: 'desc' as const }, limit: page.per_page, offset: offsetOf(page) };
    const [rows, totalCount] = await atOneMoment(this.em, (em) => em.findAndCount(WebhookDelivery, where, options));
    return { rows, totalCount };
  }

  /** @throws DomainError `record_not_found` */
  async get(userId: string, id: string): Promise<WebhookDelivery> {
    const found = isUuid(id) ? await reader(this.em).findOne(WebhookDelivery, { userId, id }) : null;
    if (!found) throw recordNotFound('delivery');
    return found;
  }

  /**
   * Sends a test event, which has no data but the cursor.
   *
   * @throws DomainError `record_not_found`; `conflict` when the endpoint is disabled, or too much waits for it
   */
  async test(userId: string, endpointId: string): Promise<WebhookDelivery> {
    const { cursor } = await this.em.transactional((em) => newestRevision(em, userId));
    const messageId = messageIdOf(randomUUID());
    const payload = JSON.stringify({ type: TEST_EVENT, timestamp: this.clock.now().toISOString(), data: { cursor } });
    return this.#request(userId, endpointId, 'test', { messageId, eventType: TEST_EVENT, payload });
  }

  /**
   * Sends a message again under the same id, so that a receiver recognises it.
   *
   * @throws DomainError as {@link test}
   */
  async replay(userId: string, id: string): Promise<WebhookDelivery> {
    const { endpointId, messageId, eventType, payload } = await this.get(userId, id);
    return this.#request(userId, endpointId, 'replay', { messageId, eventType, payload });
  }

  #request(userId: string, endpointId: string, trigger: DeliveryTrigger, message: Message): Promise<WebhookDelivery> {
    return this.em.transactional(async (em) => {
      const endpoint = await lockEndpoint(em, userId, endpointId);
      if (endpoint.status === 'disabled')
        throw new DomainError('conflict', 'The webhook is disabled. Enable it first.');
      const waiting = { userId, endpointId, status: 'pending' as const, trigger: { $ne: 'change' as const } };
      if ((await em.count(WebhookDelivery, waiting)) >= MAX_REQUESTED) {
        throw new DomainError(
          'conflict',
          `${MAX_REQUESTED} deliveries that you have asked for are waiting. Let them end first.`,
        );
      }
      endpoint.lastNumber++;
      const delivery = em.create(WebhookDelivery, {
        userId,
        endpointId,
        number: endpoint.lastNumber,
        id: randomUUID(),
        trigger,
        status: 'pending',
        ...message,
        createdAt: this.clock.now(),
      });
      await em.persist(delivery).flush();
      await this.sending.wake(endpoint);
      return delivery;
    });
  }
}
