import { BigIntType, EntityName, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { WebhookEventType } from '../event-types.js';

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** The person disabled it; it answered 410; it failed for three days; the APP_SECRET that sealed its secret is lost. */
export const DISABLED_REASONS = ['person', 'gone', 'failing', 'secret_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What an endpoint has when nothing failed; what waits for it is sent at once. */
export const NO_FAILURES = { failures: 0, failingSince: null, nextAttemptAt: null };

/** Ends the lease of a worker: the result of its message under way does not count, and the message is sent again. */
export const NO_LEASE = { leaseHolder: null, leasedUntil: null };

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

  /** A name of the person's choice; may be empty. */
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

  /** All changes up to this revision are among its deliveries, unless it has not subscribed to their type. */
  @Property({ type: new BigIntType('number') })
  position: number;

  /** Of its newest delivery. */
  @Property({ type: new BigIntType('number') })
  lastNumber: Opt<number> = 0;

  /** How many attempts in a row have failed. */
  @Property({ type: 'integer' })
  failures: Opt<number> = 0;

  /** When the first of these attempts failed; `null`: the last one succeeded, or there was none. */
  @Property({ type: 'datetime', nullable: true })
  failingSince: Date | null = null;

  /** No change is sent before this time. */
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
