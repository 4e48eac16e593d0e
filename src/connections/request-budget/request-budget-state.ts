import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { RequestLimit } from '../../bank-provider/request-budget.js';

const DAY_MS = 86_400_000;

export interface BudgetState {
  /** Requests a day; `null`: the provider publishes no limit. */
  limit: number | null;
  /** Requests left in the rolling 24 hours; `null` without a limit. */
  remaining: number | null;
  /** When there is room for a sync again; `null`: now. */
  nextAllowedAt: Date | null;
}

/** After this moment a request has been sent that counts now. */
export function requestsSince(now: Date): Date {
  return new Date(now.getTime() - DAY_MS);
}

/**
 * When requests were sent in the 24 hours before `now`, for each connection that sent any, newest first.
 *
 * @param connectionIds of connections of one user
 */
export async function requestsOfDay(
  em: EntityManager,
  userId: string,
  connectionIds: readonly string[],
  now: Date,
): Promise<Map<string, Date[]>> {
  const { rows } = await sql<{ connection_id: string; sent_at: Date }>`
    select connection_id, sent_at from provider_requests
    where user_id = ${userId} and connection_id = any(${connectionIds}::uuid[])
      and sent_at > ${requestsSince(now)}
    order by sent_at desc
  `.execute(em.getKysely());
  const byConnection = new Map<string, Date[]>();
  for (const { connection_id, sent_at } of rows) {
    const sent = byConnection.get(connection_id) ?? [];
    byConnection.set(connection_id, [...sent, new Date(sent_at)]);
  }
  return byConnection;
}

/**
 * From when on so many more requests stay below a limit; `null`: now.
 *
 * @param sentAt in the last 24 hours, newest first
 */
export function allowedAt(sentAt: readonly Date[], limit: number, wanted = 1): Date | null {
  const oldestThatCounts = sentAt[limit - wanted];
  return oldestThatCounts ? new Date(oldestThatCounts.getTime() + DAY_MS) : null;
}

/** What is left of a limit after these requests of the last 24 hours, newest first. */
export function budgetState(sentAt: readonly Date[], limit: RequestLimit | null): BudgetState {
  if (limit === null) return { limit, remaining: null, nextAllowedAt: null };
  const { perDay, perSync } = limit;
  return {
    limit: perDay,
    remaining: Math.max(0, perDay - sentAt.length),
    nextAllowedAt: allowedAt(sentAt, perDay, perSync),
  };
}
