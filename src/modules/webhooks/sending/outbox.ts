import { randomUUID } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { newestRevision, type PlannedEvent, readEvents, SyncRun } from '../../../kit.js';
import { WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookSecret } from '../endpoints/webhook-secret.entity.js';
import { CHANGES_EXPIRED, type DeliveredType, type WebhookEventType } from '../event-types.js';
import { messageIdOf } from '../message/signing.js';

export type Endpoint = Pick<WebhookEndpoint, 'userId' | 'id'>;

/** The next message of an endpoint, with what is needed to send it. */
export interface NextDelivery {
  endpoint: WebhookEndpoint;
  delivery: WebhookDelivery;
  /** Newest first. */
  secrets: WebhookSecret[];
}

/**
 * The next message of an endpoint: a test or replay, else the oldest change that it has not received. The change log is
 * the outbox: messages are made from its entries after the endpoint's position, and stored with the new position before
 * the first of them is sent.
 *
 * @param em with a transaction
 * @returns `null`: there is nothing to send now
 */
export async function takeNext(em: EntityManager, { userId, id }: Endpoint, now: Date): Promise<NextDelivery | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const endpoint = await em.findOne(WebhookEndpoint, { userId, id, status: 'enabled' }, lock);
  const delivery = endpoint && (await findNext(em, endpoint, now));
  if (!delivery) return null;
  endpoint.attemptId = randomUUID();
  const isValid = { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const newestFirst = { orderBy: { createdAt: 'desc', expiresAt: 'desc nulls first' } } as const;
  const secrets = await em.find(WebhookSecret, { userId, endpointId: id, ...isValid }, newestFirst);
  return { endpoint, delivery, secrets };
}

async function findNext(em: EntityManager, endpoint: WebhookEndpoint, now: Date): Promise<WebhookDelivery | null> {
  const asked = await findPending(em, endpoint, { trigger: { $ne: 'change' } });
  if (asked) return asked;
  if (endpoint.nextAttemptAt && endpoint.nextAttemptAt > now) return null;
  const stored = await findPending(em, endpoint);
  if (stored) return stored;
  // Changes of other types move the position without a message.
  for (let position = -1; position < endpoint.position;) {
    position = endpoint.position;
    const [first] = await planNext(em, endpoint, now);
    if (first) return first;
  }
  return null;
}

/** The oldest one. */
function findPending(em: EntityManager, { userId, id: endpointId }: Endpoint, which: object = {}) {
  const pending = { userId, endpointId, status: 'pending' as const, ...which };
  return em.findOne(WebhookDelivery, pending, { orderBy: { number: 'asc' } });
}

/** How long an endpoint has to wait for its next message; `null`: there is none. */
export async function secondsUntilDue(em: EntityManager, endpoint: WebhookEndpoint, now: Date): Promise<number | null> {
  if (endpoint.status === 'disabled') return null;
  const isAsked = (await findPending(em, endpoint, { trigger: { $ne: 'change' } })) !== null;
  if (!isAsked && endpoint.nextAttemptAt) {
    return Math.max(0, Math.ceil((endpoint.nextAttemptAt.getTime() - now.getTime()) / 1_000));
  }
  if (isAsked || (await findPending(em, endpoint))) return 0;
  return endpoint.position < (await newestRevision(em, endpoint.userId)).revision ? 0 : null;
}

/** Makes messages from the entries after the endpoint's position, and moves the position. */
async function planNext(em: EntityManager, endpoint: WebhookEndpoint, now: Date): Promise<WebhookDelivery[]> {
  const { id, userId, position, eventTypes } = endpoint;
  const { events, upto, isExpired, cursorAfter } = await readEvents(em, userId, position, new Set(eventTypes));
  endpoint.position = upto;
  if (isExpired) {
    const messageId = messageIdOf(id, CHANGES_EXPIRED, cursorAfter(upto));
    return store(em, endpoint, now, [draft(messageId, CHANGES_EXPIRED, now, { cursor: cursorAfter(upto) })]);
  }
  const syncs = await findSyncs(em, userId, events);
  const drafts = events.map((event) => {
    const messageId = messageIdOf(id, event.type, cursorAfter(event.upto), event.subjectId ?? '');
    const data = { cursor: cursorAfter(event.from - 1), ...detailsOf(event, syncs) };
    return draft(messageId, event.type, event.at, data);
  });
  return store(em, endpoint, now, drafts);
}

type Draft = Pick<WebhookDelivery, 'eventType' | 'messageId' | 'payload'>;

function draft(messageId: string, type: DeliveredType, at: Date, data: object): Draft {
  return { messageId, eventType: type, payload: JSON.stringify({ type, timestamp: at.toISOString(), data }) };
}

function detailsOf(
  { type, accountIds, subjectId }: PlannedEvent<WebhookEventType>,
  syncs: ReadonlyMap<string | null, SyncRun>,
): object {
  if (type === 'balances.changed' || type === 'transactions.changed') return { account_ids: accountIds };
  if (type !== 'sync.finished') return { connection_id: subjectId };
  const { connectionId = null, status = null } = syncs.get(subjectId) ?? {};
  return { sync_id: subjectId, connection_id: connectionId, status };
}

async function findSyncs(em: EntityManager, userId: string, events: readonly PlannedEvent[]) {
  const ids = events.flatMap(({ type, subjectId }) => (type === 'sync.finished' && subjectId ? [subjectId] : []));
  const syncs = ids.length === 0 ? [] : await em.find(SyncRun, { userId, id: { $in: ids } });
  return new Map<string | null, SyncRun>(syncs.map((sync) => [sync.id, sync]));
}

async function store(em: EntityManager, endpoint: WebhookEndpoint, createdAt: Date, drafts: readonly Draft[]) {
  const deliveries = drafts.map((message) =>
    em.create(WebhookDelivery, {
      userId: endpoint.userId,
      endpointId: endpoint.id,
      number: ++endpoint.lastNumber,
      id: randomUUID(),
      ...message,
      trigger: 'change',
      status: 'pending',
      createdAt,
    }),
  );
  await em.persist(deliveries).flush();
  return deliveries;
}
