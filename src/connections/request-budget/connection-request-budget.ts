import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ProviderError } from '../../bank-provider/provider-error.js';
import type { RequestBudget, RequestLimit } from '../../bank-provider/request-budget.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type { Clock } from '../../time/clock.js';
import type { Connection } from '../connection.entity.js';
import { lockConnection } from '../connection-lock.js';
import { allowedAt, requestsOfDay } from './request-budget-state.js';

type ConnectionKey = Pick<Connection, 'userId' | 'id'>;

/** Of a day's requests, kept for a person who clicks; the schedule leaves them alone. */
const KEPT_FOR_PERSON = 6;
/** What was sent so long ago decides nothing any more. */
const FORGET_AFTER_MS = 48 * 3_600_000;

/** From when on the schedule may sync again without touching what is kept for the person; `null`: now. */
export async function scheduleAllowedAt(
  em: EntityManager,
  { userId, id }: ConnectionKey,
  { perDay, perSync }: RequestLimit,
  now: Date,
): Promise<Date | null> {
  const sent = await requestsOfDay(em, userId, [id], now);
  return allowedAt(sent.get(id) ?? [], perDay - KEPT_FOR_PERSON, perSync);
}

/**
 * Counts every request of a connection before it is sent, retries included, in the database: neither a restart nor
 * another instance begins anew. Each is committed at once, whatever becomes of the sync.
 */
export class ConnectionRequestBudget implements RequestBudget {
  readonly #limit: number;

  constructor(
    private readonly em: EntityManager,
    private readonly connection: ConnectionKey,
    { perDay }: RequestLimit,
    private readonly clock: Clock,
    private readonly forPerson: boolean,
  ) {
    this.#limit = forPerson ? perDay : perDay - KEPT_FOR_PERSON;
  }

  /**
   * @throws ProviderError `rate_limited` when none is left
   * @throws ConnectionRemoved: for a connection that is gone nothing is asked
   */
  async spend(): Promise<void> {
    await this.em.transactional(async (em) => {
      // One after the other, so that two at once cannot both take the last one.
      await lockConnection(em, this.connection);
      const now = this.clock.now();
      const { userId, id } = this.connection;
      const sent = await requestsOfDay(em, userId, [id], now);
      const next = allowedAt(sent.get(id) ?? [], this.#limit);
      if (next) throw this.#usedUp(next, now);
      await this.#count(em, now);
    });
  }

  async #count(em: EntityManager, now: Date): Promise<void> {
    const { userId, id } = this.connection;
    noteChanges(userId, { kind: 'connections', ids: [id] });
    await sql`
      with forgotten as (
        delete from provider_requests
        where user_id = ${userId} and connection_id = ${id} and sent_at < ${new Date(now.getTime() - FORGET_AFTER_MS)}
      )
      insert into provider_requests (user_id, connection_id, sent_at) values (${userId}, ${id}, ${now})
    `.execute(em.getKysely());
  }

  #usedUp(next: Date, now: Date): ProviderError {
    return new ProviderError(
      'rate_limited',
      `The ${this.#limit} requests a day that ${this.forPerson ? 'the provider allows' : 'are left to the schedule'} ` +
        `are used up; the next one is allowed at ${next.toISOString()}.`,
      { retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000) },
    );
  }
}
