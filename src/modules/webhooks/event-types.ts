import type { EventType } from '../../kit.js';

/** The event types that an endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'balances.changed',
  'transactions.changed',
  'sync.finished',
  'connection.attention_required',
  'connection.recovered',
] as const satisfies EventType[];
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Every endpoint gets it when the log was pruned beyond its position, so that its copy must start again. */
export const CHANGES_EXPIRED = 'changes.expired';

/** Sent when a person tests an endpoint. */
export const TEST_EVENT = 'webhook.test';

export const ALL_EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, CHANGES_EXPIRED, TEST_EVENT] as const;
export type DeliveredType = (typeof ALL_EVENT_TYPES)[number];
