import { CHANGE_EVENTS } from '../change-log/change.js';

/** What an endpoint can be told of. */
export const WEBHOOK_EVENT_TYPES = ['balances.changed', 'transactions.changed', ...CHANGE_EVENTS] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** What every endpoint is told: the log has lost changes that it was not told of, and a copy has to start again. */
export const CHANGES_EXPIRED = 'changes.expired';

/** The event of a test. */
export const TEST_EVENT = 'webhook.test';

export const ALL_EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, CHANGES_EXPIRED, TEST_EVENT] as const;
export type DeliveredType = (typeof ALL_EVENT_TYPES)[number];
