import type { EntityManager } from '@mikro-orm/postgresql';
import type { Connection } from '../connection.entity.js';

const DAY_MS = 86_400_000;
/** Older requests count in no budget. */
const KEPT_MS = 2 * DAY_MS;

/** The table has no primary key, so no entity can describe it. */
interface Tables {
  provider_requests: { user_id: string; connection_id: string; sent_at: Date };
}

/** Requests sent after this moment count against the limit of a day. */
export function requestsSince(now: Date): Date {
  return new Date(now.getTime() - DAY_MS);
}

/**
 * Lists when requests were sent in the 24 hours before `now`, by connection, newest first.
 *
 * @param connectionIds of connections of one user
 */
export async function requestsOfDay(
  em: EntityManager,
  userId: string,
  connectionIds: readonly string[],
  now: Date,
): Promise<Map<string, Date[]>> {
  const byConnection = new Map<string, Date[]>(connectionIds.map((id) => [id, []]));
  const requests = await em
    .getKysely<Tables>()
    .selectFrom('provider_requests')
    .select(['connection_id', 'sent_at'])
    .where('user_id', '=', userId)
    .where((eb) => eb('connection_id', '=', eb.fn.any(eb.val([...connectionIds]))))
    .where('sent_at', '>', requestsSince(now))
    .orderBy('sent_at', 'desc')
    .execute();
  // The driver gives instants as text.
  for (const { connection_id, sent_at } of requests) byConnection.get(connection_id)!.push(new Date(sent_at));
  return byConnection;
}

/** Counts a request that is about to be sent. */
export async function countRequest(
  em: EntityManager,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
  now: Date,
): Promise<void> {
  const kysely = em.getKysely<Tables>();
  await kysely
    .with('expired', (db) =>
      db
        .deleteFrom('provider_requests')
        .where('user_id', '=', userId)
        .where('connection_id', '=', id)
        .where('sent_at', '<', new Date(now.getTime() - KEPT_MS)),
    )
    .insertInto('provider_requests')
    .values({ user_id: userId, connection_id: id, sent_at: now })
    .execute();
}
