import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ProviderError } from '../bank-provider/provider-error.js';
import type { RequestBudget } from '../bank-provider/request-budget.js';
import type { Clock } from '../time/clock.js';
import type { Connection } from './connection.entity.js';
import { holdConnection } from './connection-lock.js';
import { type BudgetState, budgetState, requestsOfDay } from './request-budget-state.js';

type ConnectionKey = Pick<Connection, 'userId' | 'id'>;

/** Of a day's requests, kept for a person who clicks; the schedule leaves them alone. */
const KEPT_FOR_PERSON = 6;
/** What was sent so long ago decides nothing any more. */
const FORGET_AFTER_MS = 48 * 3_600_000;

/** What a connection may still ask its provider in the rolling 24 hours. */
async function stateOf(em: EntityManager, key: ConnectionKey, limit: number, now: Date): Promise<BudgetState> {
  const sent = await requestsOfDay(em, key.userId, [key.id], now);
  return budgetState(sent.get(key.id) ?? [], limit);
}

/**
 * From when on the schedule may sync again without touching what is kept for the person: when a usual sync, which asks
 * once, fits into the rolling day. `null`: now.
 */
export async function scheduleAllowedAt(
  em: EntityManager,
  connection: ConnectionKey,
  requestsPerDay: number,
  now: Date,
): Promise<Date | null> {
  return (await stateOf(em, connection, requestsPerDay - KEPT_FOR_PERSON, now)).nextAllowedAt;
}

/**
 * Counts every request of a connection before it is sent, retries included, in the database: neither a restart nor
 * another instance begins anew. Each is committed at once, whatever becomes of the sync.
 */
export class PersistedBudget implements RequestBudget {
  readonly #limit: number;

  constructor(
    private readonly em: EntityManager,
    private readonly connection: ConnectionKey,
    requestsPerDay: number,
    private readonly clock: Clock,
    private readonly forPerson: boolean,
  ) {
    this.#limit = forPerson ? requestsPerDay : requestsPerDay - KEPT_FOR_PERSON;
  }

  /**
   * @throws ProviderError `rate_limited` when none is left
   * @throws ConnectionRemoved: for a connection that is gone nothing is asked
   */
  async spend(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      // One after the other, so that two at once cannot both take the last one.
      await holdConnection(em, this.connection);
      const now = this.clock.now();
      const { remaining, nextAllowedAt } = await stateOf(em, this.connection, this.#limit, now);
      if (remaining === 0) throw this.#usedUp(nextAllowedAt, now);
      await this.#count(em, now);
    });
  }

  async #count(em: EntityManager, now: Date): Promise<void> {
    const { userId, id } = this.connection;
    await sql`
      delete from provider_requests
      where user_id = ${userId} and connection_id = ${id} and sent_at < ${new Date(now.getTime() - FORGET_AFTER_MS)}
    `.execute(em.getKysely());
    await sql`
      insert into provider_requests (user_id, connection_id, sent_at) values (${userId}, ${id}, ${now})
    `.execute(em.getKysely());
  }

  #usedUp(nextAllowedAt: Date | null, now: Date): ProviderError {
    const next = nextAllowedAt ?? now;
    return new ProviderError(
      'rate_limited',
      `The ${this.#limit} requests a day that ${this.forPerson ? 'the provider allows' : 'are left to the schedule'} ` +
        `are used up; the next one is allowed at ${next.toISOString()}.`,
      { retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000) },
    );
  }
}
