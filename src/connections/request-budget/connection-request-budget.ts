import type { EntityManager } from '@mikro-orm/postgresql';
import { ProviderError } from '../../bank-provider/provider-error.js';
import type { RequestBudget, RequestLimit } from '../../bank-provider/bank-provider.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type { Clock } from '../../time/clock.js';
import type { Connection } from '../connection.entity.js';
import { lockConnection } from '../connection-lock.js';
import { allowedAt } from './budget-state.js';
import { countRequest, requestsOfDay } from './provider-requests.queries.js';

type ConnectionKey = Pick<Connection, 'userId' | 'id'>;

/** Requests a day that the schedule leaves to a person who clicks “Sync now”. */
const RESERVED_FOR_PERSON = 6;

/** When the schedule may sync again without the requests reserved for the person; `null`: now. */
export async function scheduleAllowedAt(
  em: EntityManager,
  { userId, id }: ConnectionKey,
  { perDay, perSync }: RequestLimit,
  now: Date,
): Promise<Date | null> {
  const sent = await requestsOfDay(em, userId, [id], now);
  return allowedAt(sent.get(id)!, perDay - RESERVED_FOR_PERSON, perSync);
}

/**
 * Counts every request of a connection before it is sent, retries included. It counts in the database, so restarts and
 * other instances share one budget. Each count is committed at once, whether the sync succeeds or not.
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
    this.#limit = forPerson ? perDay : perDay - RESERVED_FOR_PERSON;
  }

  /**
   * @throws ProviderError `rate_limited` when none is left
   * @throws ConnectionRemoved
   */
  async spend(): Promise<void> {
    await this.em.transactional(async (em) => {
      // Two requests at the same time cannot both take the last one.
      await lockConnection(em, this.connection);
      const now = this.clock.now();
      const { userId, id } = this.connection;
      const sent = await requestsOfDay(em, userId, [id], now);
      const next = allowedAt(sent.get(id)!, this.#limit);
      if (next) throw this.#usedUp(next, now);
      noteChanges(userId, { kind: 'connections', ids: [id] });
      await countRequest(em, this.connection, now);
    });
  }

  #usedUp(next: Date, now: Date): ProviderError {
    return new ProviderError(
      'rate_limited',
      `The ${this.#limit} requests a day that ${this.forPerson ? 'the provider allows' : 'the schedule may make'} ` +
        `are used up; the next one is allowed at ${next.toISOString()}.`,
      { retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000) },
    );
  }
}
