import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ProviderError } from '../bank-provider/provider-error.js';
import type { RequestBudget } from '../bank-provider/request-budget.js';
import type { Clock } from '../time/clock.js';
import type { Connection } from './connection.entity.js';

const DAY_MS = 86_400_000;
/** Of a day's requests, kept for a person who clicks; the schedule leaves them alone. */
const KEPT_FOR_PERSON = 6;
/** Today's balances, and one window of transactions. */
const REQUESTS_OF_USUAL_SYNC = 1;

export interface BudgetState {
  /** Requests a day; `null`: the provider publishes no limit. */
  limit: number | null;
  /** Requests left in the rolling 24 hours; `null` without a limit. */
  remaining: number | null;
  /** When the next request is allowed; `null`: now. */
  nextAllowedAt: Date | null;
}

/** What a connection may still ask its provider in the rolling 24 hours. */
export async function budgetState(
  em: EntityManager,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
  limit: number | null,
  now: Date,
): Promise<BudgetState> {
  if (limit === null) return { limit, remaining: null, nextAllowedAt: null };
  const { rows } = await sql<{ sent_at: Date }>`
    select sent_at from provider_requests
    where user_id = ${userId} and connection_id = ${id} and sent_at > ${new Date(now.getTime() - DAY_MS)}
    order by sent_at desc
  `.execute(em.getKysely());
  const remaining = Math.max(0, limit - rows.length);
  const oldestThatCounts = rows[limit - 1];
  const nextAllowedAt = oldestThatCounts ? new Date(new Date(oldestThatCounts.sent_at).getTime() + DAY_MS) : null;
  return { limit, remaining, nextAllowedAt };
}

/**
 * From when on the schedule may sync again without touching what is kept for the person: when a usual sync, which asks
 * twice, fits into the rolling day. `null`: now.
 */
export async function scheduleAllowedAt(
  em: EntityManager,
  connection: Pick<Connection, 'userId' | 'id'>,
  requestsPerDay: number,
  now: Date,
): Promise<Date | null> {
  const limit = requestsPerDay - KEPT_FOR_PERSON - (REQUESTS_OF_USUAL_SYNC - 1);
  return (await budgetState(em, connection, limit, now)).nextAllowedAt;
}

/**
 * Counts every request of a connection before it is sent, retries included, in the database: neither a restart nor
 * another instance begins anew. Each is committed at once, whatever becomes of the sync.
 */
export class PersistedBudget implements RequestBudget {
  readonly #limit: number;

  constructor(
    private readonly em: EntityManager,
    private readonly connection: Pick<Connection, 'userId' | 'id'>,
    limit: number,
    private readonly clock: Clock,
    forPerson: boolean,
  ) {
    this.#limit = forPerson ? limit : limit - KEPT_FOR_PERSON;
  }

  async spend(): Promise<void> {
    const { userId, id } = this.connection;
    const now = this.clock.now();
    const em = this.em.fork();
    const { remaining, nextAllowedAt } = await budgetState(em, this.connection, this.#limit, now);
    if (remaining === 0) {
      const wait = nextAllowedAt ? Math.ceil((nextAllowedAt.getTime() - now.getTime()) / 1000) : 0;
      throw new ProviderError(
        'rate_limited',
        `The provider allows ${this.#limit} requests a day and all of them are used; the next one is allowed at ${nextAllowedAt?.toISOString()}.`,
        { retryAfterSeconds: wait },
      );
    }
    await sql`
      insert into provider_requests (user_id, connection_id, sent_at) values (${userId}, ${id}, ${now})
    `.execute(em.getKysely());
  }
}
