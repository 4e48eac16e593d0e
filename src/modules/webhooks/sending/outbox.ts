import { randomUUID } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type LogState, readLogState } from '../../../sync/change-feed/change-log.js';
import { feedCursorText } from '../../../sync/change-feed/cursor.js';
import { DAY_MS } from '../../../platform/time/calendar-date.js';
import { WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookSecret } from '../endpoints/webhook-secret.entity.js';
import { CHANGES_EXPIRED, type DeliveredType, type WebhookEventType } from '../event-types.js';
import { messageIdOf } from '../message/signing.js';
import { type PlannedEvent, planEvents, readLog } from '../../../database/change-log/plan-events.js';

/** Before the next attempt, also if the endpoint asks for more. */
export const MAX_RETRY_WAIT_MS = DAY_MS;
const OLDEST_FIRST = { orderBy: { number: 'asc' as const } };

/** An endpoint, and the worker that may send to it. */
export interface EndpointLease {
  userId: string;
  endpointId: string;
  holder: string;
}

/** The next message of an endpoint, with what is needed to send it. */
export interface NextDelivery {
  delivery: WebhookDelivery;
  url: string;
  /** Newest first. */
  secrets: WebhookSecret[];
}

/**
 * The next message of an endpoint: a test or replay, else the oldest change that it has not received. The change log is
 * the outbox: messages are made from its entries after the endpoint's position, and stored with the new position before
 * the first of them is sent.
 *
 * @param em with a transaction
 * @returns `null`: there is nothing to send now, or the lease is lost
 */
export async function takeNext(em: EntityManager, lease: EndpointLease, now: Date): Promise<NextDelivery | null> {
  const { userId, endpointId, holder } = lease;
  const held = { userId, id: endpointId, leaseHolder: holder, status: 'enabled' as const };
  const endpoint = await em.findOne(WebhookEndpoint, held, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!endpoint) return null;
  const delivery = await findNext(em, endpoint, now);
  if (!delivery) return null;
  const isValid = { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const newestFirst = { orderBy: { createdAt: 'desc', expiresAt: 'desc nulls first' } } as const;
  const secrets = await em.find(WebhookSecret, { userId, endpointId, ...isValid }, newestFirst);
  return { delivery, url: endpoint.url, secrets };
}

async function findNext(em: EntityManager, endpoint: WebhookEndpoint, now: Date): Promise<WebhookDelivery | null> {
  const pending = { userId: endpoint.userId, endpointId: endpoint.id, status: 'pending' as const };
  const asked = await em.findOne(WebhookDelivery, { ...pending, trigger: { $ne: 'change' } }, OLDEST_FIRST);
  if (asked) return asked;
  if (endpoint.nextAttemptAt && endpoint.nextAttemptAt > now) return null;
  const stored = await em.findOne(WebhookDelivery, { ...pending, trigger: 'change' }, OLDEST_FIRST);
  if (stored) return stored;
  // Changes of other types move the position without a message.
  for (let position = -1; position < endpoint.position;) {
    position = endpoint.position;
    const [first] = await planNext(em, endpoint, now);
    if (first) return first;
  }
  return null;
}

/** Makes messages from the entries after the endpoint's position, and moves the position. */
async function planNext(em: EntityManager, endpoint: WebhookEndpoint, now: Date): Promise<WebhookDelivery[]> {
  const { userId, position } = endpoint;
  const parts = await readLog(em, userId, position);
  // Read after the log, so that records removed meanwhile are noticed.
  const state = await readLogState(em, userId);
  if (state.floor > position) {
    endpoint.position = state.head;
    return store(em, endpoint, [startAgain(endpoint, state, now)], now);
  }
  endpoint.position = parts.at(-1)?.revision ?? position;
  const messages = planEvents(parts, new Set(endpoint.eventTypes));
  const syncs = await readSyncs(em, userId, messages);
  const toDraft = (message: PlannedEvent<WebhookEventType>): Draft => {
    const cursor = feedCursorText(state.seal, { done: message.from - 1, page: null });
    return {
      eventType: message.type,
      messageId: messageIdOf(endpoint.id, state.seal, message.type, message.upto, message.subjectId ?? ''),
      payload: payloadOf(message.type, message.at, { cursor, ...detailsOf(message, syncs) }),
    };
  };
  return store(em, endpoint, messages.map(toDraft), now);
}

type Draft = Pick<WebhookDelivery, 'eventType' | 'messageId' | 'payload'>;

function startAgain(endpoint: WebhookEndpoint, { head, seal }: LogState, now: Date): Draft {
  return {
    eventType: CHANGES_EXPIRED,
    messageId: messageIdOf(endpoint.id, seal, CHANGES_EXPIRED, head),
    payload: payloadOf(CHANGES_EXPIRED, now, { cursor: feedCursorText(seal, { done: head, page: null }) }),
  };
}

function payloadOf(type: DeliveredType, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

interface SyncRow {
  id: string;
  connection_id: string | null;
  status: string;
}

/** The entity of syncs belongs to a higher folder. */
interface SyncTables {
  sync_runs: SyncRow & { user_id: string };
}

function detailsOf(
  { type, accountIds, subjectId }: PlannedEvent<WebhookEventType>,
  syncs: ReadonlyMap<string, SyncRow>,
): object {
  if (type === 'balances.changed' || type === 'transactions.changed') return { account_ids: accountIds };
  if (type !== 'sync.finished') return { connection_id: subjectId };
  const { connection_id = null, status = null } = syncs.get(subjectId!) ?? {};
  return { sync_id: subjectId, connection_id, status };
}

async function store(
  em: EntityManager,
  endpoint: WebhookEndpoint,
  drafts: readonly Draft[],
  createdAt: Date,
): Promise<WebhookDelivery[]> {
  const deliveries = drafts.map((draft) =>
    em.create(WebhookDelivery, {
      userId: endpoint.userId,
      endpointId: endpoint.id,
      number: ++endpoint.lastNumber,
      id: randomUUID(),
      ...draft,
      trigger: 'change',
      status: 'pending',
      createdAt,
    }),
  );
  await em.persist(deliveries).flush();
  return deliveries;
}

async function readSyncs(em: EntityManager, userId: string, messages: readonly PlannedEvent[]) {
  const ids = messages.flatMap(({ type, subjectId }) => (type === 'sync.finished' && subjectId ? [subjectId] : []));
  if (ids.length === 0) return new Map<string, SyncRow>();
  const rows = await em
    .getKysely<SyncTables>()
    .selectFrom('sync_runs')
    .select(['id', 'connection_id', 'status'])
    .where('user_id', '=', userId)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
