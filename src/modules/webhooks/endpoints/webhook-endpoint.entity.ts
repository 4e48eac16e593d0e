import { BigIntType, EntityName, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { WebhookEventType } from '../event-types.js';

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** The person disabled it; it answered 410; it failed for three days; the APP_SECRET that sealed its secret is lost. */
export const DISABLED_REASONS = ['person', 'gone', 'failing', 'secret_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** No failures, so that what waits is sent at once; and what is answered to an attempt under way counts for nothing. */
export const AFRESH = { failures: 0, failingSince: null, nextAttemptAt: null, attemptId: null };

/** Its name for a person. */
export function nameOf({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string {
  return description === '' ? new URL(url).host : description;
}

export function subjectOf(endpoint: WebhookEndpoint): { subjectId: string; subject: string } {
  return { subjectId: endpoint.id, subject: nameOf(endpoint) };
}

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

  /** The attempt under way, whose answer counts: a worker that was replaced, or an address, may still be answered. */
  @Property({ type: 'uuid', nullable: true })
  attemptId: string | null = null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
