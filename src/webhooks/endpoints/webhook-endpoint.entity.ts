import { BigIntType, EntityName, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { WebhookEventType } from '../event-types.js';

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** By the person; by an answer 410; after three days of failures; with the APP_SECRET that sealed its secret. */
export const DISABLED_REASONS = ['person', 'gone', 'failing', 'secret_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address that gets a person's changes, and its position in the change log. */
@Entity({ tableName: 'webhook_endpoints' })
export class WebhookEndpoint {
  [EntityName]?: 'webhook_endpoints';
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'text' })
  url: string;

  /** What a person calls it; may be empty. */
  @Property({ type: 'text' })
  description: string;

  @Property({ type: 'array' })
  eventTypes: WebhookEventType[];

  @Property({ type: 'text' })
  status: EndpointStatus;

  /** `null`: it is enabled. */
  @Property({ type: 'text', nullable: true })
  disabledReason: DisabledReason | null = null;

  @Property({ type: 'datetime', nullable: true })
  disabledAt: Date | null = null;

  /** Everything up to this revision is among its deliveries, or is none of its business. */
  @Property({ type: new BigIntType('number') })
  position: number;

  /** Of its newest delivery. */
  @Property({ type: new BigIntType('number') })
  lastNumber: Opt<number> = 0;

  /** In a row. */
  @Property({ type: 'integer' })
  failures: Opt<number> = 0;

  /** When the first of them was; `null`: the last attempt succeeded, or there was none. */
  @Property({ type: 'datetime', nullable: true })
  failingSince: Date | null = null;

  /** Nothing that has changed is sent before then. */
  @Property({ type: 'datetime', nullable: true })
  nextAttemptAt: Date | null = null;

  /** The one worker that may send to it. */
  @Property({ type: 'uuid', nullable: true })
  leaseHolder: string | null = null;

  @Property({ type: 'datetime', nullable: true })
  leasedUntil: Date | null = null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
