import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RequestBudget, type RequestLimit, UNLIMITED } from '../../providers/bank-provider.js';
import { ProviderError } from '../../providers/provider-error.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { rateLimitExceeded } from '../../platform/domain-error.js';
import { DAY_MS, longInstant } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { Connection, type ConnectionKey, lockConnection } from './connection.entity.js';

/** Older requests count in no budget. */
const KEPT_MS = 2 * DAY_MS;
/** Requests a day that the schedule leaves to a person who clicks “Sync now”. */
const RESERVED_FOR_PERSON = 6;

/** The table has no primary key, so no entity can describe it. */
interface Tables {
  provider_requests: { user_id: string; connection_id: string; sent_at: Date };
}

export interface BudgetState {
  /** Requests a day; `null`: the provider publishes no limit. */
  limit: number | null;
  /** Requests left in the rolling 24 hours; `null` without a limit. */
  remaining: number | null;
  /** When there is room for a sync again; `null`: now. */
  nextAllowedAt: Date | null;
}

/**
 * Counts requests of connections in the database, so restarts and other instances share one budget, and says when there
 * is room for more.
 */
@Injectable()
export class RequestBudgetService {
  constructor(
    private readonly em: EntityManager,
    private readonly providers: ProviderRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * The budget of one sync. It counts every request before it is sent, retries included, and commits each count at once,
   * whether the sync succeeds or not.
   *
   * @param limit `null`: the provider publishes none, and nothing is counted
   * @param isManual whether a person asked for the sync, who may use all requests
   */
  open(connection: ConnectionKey, limit: RequestLimit | null, isManual: boolean): RequestBudget {
    if (limit === null) return UNLIMITED;
    const perDay = isManual ? limit.perDay : perDayOfSchedule(limit);
    return { spend: () => this.#spend(connection, perDay, isManual) };
  }

  /** When the schedule may sync a connection again without the requests reserved for the person; `null`: now. */
  async scheduleAllowedAt(
    em: EntityManager,
    { userId, id, provider }: Pick<Connection, 'userId' | 'id' | 'provider'>,
    now: Date,
  ): Promise<Date | null> {
    const limit = this.#limitOf(provider);
    if (limit === null) return null;
    const sent = await requestsOfDay(em, userId, [id], now);
    return allowedAt(sent.get(id)!, perDayOfSchedule(limit), limit.perSync);
  }

  /**
   * Refuses a manual sync that the provider's limit would make fail.
   *
   * @throws DomainError `rate_limit_exceeded` with `details.next_allowed_at`
   */
  async assertRoomForSync(em: EntityManager, userId: string, connectionId: string): Promise<void> {
    const { provider } = await em.findOneOrFail(Connection, { userId, id: connectionId });
    const requestLimit = this.#limitOf(provider);
    if (requestLimit === null) return;
    const now = this.clock.now();
    const sent = await requestsOfDay(em, userId, [connectionId], now);
    const { perDay: limit, perSync } = requestLimit;
    const next = allowedAt(sent.get(connectionId)!, limit, perSync);
    if (next === null) return;
    const at = next.toISOString();
    const message = `The provider allows ${limit} requests a day, and too few are left for a sync. The next one is possible on ${longInstant(next)}.`;
    throw rateLimitExceeded(message, limit, secondsBetween(now, next), { next_allowed_at: at });
  }

  /** `null`: there is none, or the provider is not installed, which a run reports itself. */
  #limitOf(provider: string): RequestLimit | null {
    return this.providers.find(provider)?.descriptor.requestLimit ?? null;
  }

  /**
   * @throws ProviderError `rate_limited` when none is left
   * @throws ConnectionRemovedError
   */
  async #spend(connection: ConnectionKey, perDay: number, isManual: boolean): Promise<void> {
    const { userId, id } = connection;
    await this.em.transactional(async (em) => {
      // Two requests at the same time cannot both take the last one.
      await lockConnection(em, connection);
      const now = this.clock.now();
      const sent = await requestsOfDay(em, userId, [id], now);
      const next = allowedAt(sent.get(id)!, perDay);
      if (next) {
        const who = isManual ? 'the provider allows' : 'the schedule may make';
        throw new ProviderError(
          'rate_limited',
          `All ${perDay} requests that ${who} in 24 hours are used up. Syncing can resume on ${longInstant(next)}.`,
          { retryAfterSeconds: secondsBetween(now, next) },
        );
      }
      // The end of the run notes the connection, with what is left.
      await countRequest(em, connection, now);
    });
  }
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

/** Of a limit too small to reserve anything, the schedule may make the requests of one sync. */
function perDayOfSchedule({ perDay, perSync }: RequestLimit): number {
  return Math.max(perDay - RESERVED_FOR_PERSON, Math.min(perDay, perSync));
}

/**
 * When `wanted` more requests stay below a limit; `null`: now.
 *
 * @param sentAt in the last 24 hours, newest first
 */
function allowedAt(sentAt: readonly Date[], limit: number, wanted = 1): Date | null {
  const oldestThatCounts = sentAt[Math.max(0, limit - wanted)];
  return oldestThatCounts ? new Date(oldestThatCounts.getTime() + DAY_MS) : null;
}

function secondsBetween(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / 1000);
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
async function countRequest(em: EntityManager, { userId, id }: ConnectionKey, now: Date): Promise<void> {
  await em
    .getKysely<Tables>()
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
