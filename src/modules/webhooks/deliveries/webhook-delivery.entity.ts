import { EntityName, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity } from '@mikro-orm/decorators/legacy';
import { BigColumn, CountColumn, IdColumn, MomentColumn, TextColumn } from '../../../kit.js';
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

  @IdColumn({ primary: true })
  userId: string;

  @IdColumn({ primary: true })
  endpointId: string;

  /** The order in which the endpoint gets them. */
  @BigColumn({ primary: true })
  number: number;

  @IdColumn()
  id: string;

  /** The `webhook-id`: the same for every attempt and replay. */
  @TextColumn()
  messageId: string;

  @TextColumn()
  eventType: DeliveredType;

  @TextColumn()
  trigger: DeliveryTrigger;

  /** The body, as it is signed. */
  @TextColumn()
  payload: string;

  /** A test or a replay is tried once; a change is tried until the endpoint accepts it. */
  @TextColumn()
  status: DeliveryStatus;

  @CountColumn()
  attempts: Opt<number> = 0;

  /** Of the last attempt; `null`: there was no answer. */
  @CountColumn({ nullable: true })
  responseStatus: number | null = null;

  /** How the answer began. */
  @TextColumn({ nullable: true })
  responseBody: string | null = null;

  /** Why the last attempt failed, in words for a person. */
  @TextColumn({ nullable: true })
  problem: string | null = null;

  @CountColumn({ nullable: true })
  durationMs: number | null = null;

  @MomentColumn()
  createdAt: Date;

  @MomentColumn({ nullable: true })
  attemptedAt: Date | null = null;
}
