import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RequestBudget, type RequestLimit, UNLIMITED } from '../../bank-provider/bank-provider.js';
import { ProviderError } from '../../bank-provider/provider-error.js';
import { ProviderRegistry } from '../../bank-provider/provider-registry.js';
import { noteChanges } from '../../change-log/note-changes.js';
import { DomainError } from '../../errors/domain-error.js';
import { Clock } from '../../time/clock.js';
import { lockConnection } from '../connection-lock.js';
import { Connection } from '../connection.entity.js';
import { countRequest, requestsOfDay } from './provider-requests.queries.js';

type ConnectionKey = Pick<Connection, 'userId' | 'id'>;

const DAY_MS = 86_400_000;
/** Requests a day that the schedule leaves to a person who clicks “Sync now”. */
const RESERVED_FOR_PERSON = 6;

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
   * @param forPerson whether a person asked for the sync, who may use all requests
   */
  open(connection: ConnectionKey, limit: RequestLimit | null, forPerson: boolean): RequestBudget {
    if (limit === null) return UNLIMITED;
    const perDay = forPerson ? limit.perDay : limit.perDay - RESERVED_FOR_PERSON;
    return { spend: () => this.#spend(connection, perDay, forPerson) };
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
    return allowedAt(sent.get(id)!, limit.perDay - RESERVED_FOR_PERSON, limit.perSync);
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
    throw new DomainError(
      'rate_limit_exceeded',
      `The provider allows ${limit} requests a day, and too few are left for a sync; the next one is possible at ${at}.`,
      { details: { limit, next_allowed_at: at }, retryAfterSeconds: secondsBetween(now, next) },
    );
  }

  /** `null`: there is none, or the provider is not installed, which a run reports itself. */
  #limitOf(provider: string): RequestLimit | null {
    return this.providers.find(provider)?.descriptor.requestLimit ?? null;
  }

  /**
   * @throws ProviderError `rate_limited` when none is left
   * @throws ConnectionRemoved
   */
  async #spend(connection: ConnectionKey, perDay: number, forPerson: boolean): Promise<void> {
    const { userId, id } = connection;
    await this.em.transactional(async (em) => {
      // Two requests at the same time cannot both take the last one.
      await lockConnection(em, connection);
      const now = this.clock.now();
      const sent = await requestsOfDay(em, userId, [id], now);
      const next = allowedAt(sent.get(id)!, perDay);
      if (next) {
        const who = forPerson ? 'the provider allows' : 'the schedule may make';
        throw new ProviderError(
          'rate_limited',
          `The ${perDay} requests a day that ${who} are used up; the next one is allowed at ${next.toISOString()}.`,
          { retryAfterSeconds: secondsBetween(now, next) },
        );
      }
      noteChanges(userId, { kind: 'connections', ids: [id] });
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

/**
 * When `wanted` more requests stay below a limit; `null`: now.
 *
 * @param sentAt in the last 24 hours, newest first
 */
function allowedAt(sentAt: readonly Date[], limit: number, wanted = 1): Date | null {
  const oldestThatCounts = sentAt[limit - wanted];
  return oldestThatCounts ? new Date(oldestThatCounts.getTime() + DAY_MS) : null;
}

function secondsBetween(from: Date, to: Date): number {
  return Math.ceil((to.getTime() - from.getTime()) / 1000);
}
