import type { Opt } from '@mikro-orm/core';
import { Property } from '@mikro-orm/decorators/legacy';
import { BigColumn, CountColumn, IdColumn, MomentColumn, TextColumn, UserRow, UserTable } from '../../../kit.js';
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
@UserTable('webhook_endpoints')
export class WebhookEndpoint extends UserRow<'webhook_endpoints'> {
  @TextColumn()
  url: string;

  /** A name of the person's choice; may be empty. */
  @TextColumn()
  description: string;

  @Property({ type: 'array' })
  eventTypes: readonly WebhookEventType[];

  @TextColumn()
  status: EndpointStatus;

  /** `null`: it is enabled. */
  @TextColumn({ nullable: true })
  disabledReason: DisabledReason | null = null;

  @MomentColumn({ nullable: true })
  disabledAt: Date | null = null;

  /** All changes up to this revision are among its deliveries, unless it has not subscribed to their type. */
  @BigColumn()
  position: number;

  /** Of its newest delivery. */
  @BigColumn()
  lastNumber: Opt<number> = 0;

  /** How many attempts in a row have failed. */
  @CountColumn()
  failures: Opt<number> = 0;

  /** When the first of these attempts failed; `null`: the last one succeeded, or there was none. */
  @MomentColumn({ nullable: true })
  failingSince: Date | null = null;

  /** No change is sent before this time. */
  @MomentColumn({ nullable: true })
  nextAttemptAt: Date | null = null;

  /** The attempt under way, whose answer counts: a worker that was replaced, or an address, may still be answered. */
  @IdColumn({ nullable: true })
  attemptId: string | null = null;

  @MomentColumn()
  createdAt: Date;
}
