import { BigIntType, EntityName, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { DeliveredType } from '../event-types.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_TRIGGERS = ['change', 'test', 'replay'] as const;
export type DeliveryTrigger = (typeof DELIVERY_TRIGGERS)[number];

/** A message to an endpoint, with the result of its last attempt. */
@Entity({ tableName: 'webhook_deliveries' })
export class WebhookDelivery {
  [EntityName]?: 'webhook_deliveries';
  [PrimaryKeyProp]?: ['userId', 'endpointId', 'number'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  endpointId: string;

  /** The order in which the endpoint gets them. */
  @PrimaryKey({ type: new BigIntType('number') })
  number: number;

  @Property({ type: 'uuid' })
  id: string;

  /** The `webhook-id`: the same for every attempt and replay. */
  @Property({ type: 'text' })
  messageId: string;

  @Property({ type: 'text' })
  eventType: DeliveredType;

  @Property({ type: 'text' })
  trigger: DeliveryTrigger;

  /** The body, as it is signed. */
  @Property({ type: 'text' })
  payload: string;

  /** A test or a replay is tried once; a change is tried until the endpoint accepts it. */
  @Property({ type: 'text' })
  status: DeliveryStatus;

  @Property({ type: 'integer' })
  attempts: Opt<number> = 0;

  /** Of the last attempt; `null`: there was no answer. */
  @Property({ type: 'integer', nullable: true })
  responseStatus: number | null = null;

  /** How the answer began. */
  @Property({ type: 'text', nullable: true })
  responseBody: string | null = null;

  /** Why the last attempt failed, in words for a person. */
  @Property({ type: 'text', nullable: true })
  problem: string | null = null;

  @Property({ type: 'integer', nullable: true })
  durationMs: number | null = null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime', nullable: true })
  attemptedAt: Date | null = null;
}
