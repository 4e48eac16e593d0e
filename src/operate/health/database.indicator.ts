import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { sql } from 'kysely';
import { DomainError } from '../../platform/domain-error.js';
import { unlessAborted, withAbortScope } from '../../platform/time/abort-scope.js';

/** Load balancers wait little longer, and must get an answer while the database gives none. */
const LIMIT = {
  signals: [],
  timeoutMs: 2_000,
  timeoutReason: () => new DomainError('unavailable', 'The database did not answer in time.', { retryAfterSeconds: 5 }),
};

/**
 * Whether the database answers and accepts changes: the requests of API keys are counted in it. Migrations run before the
 * service listens, so a database that answers has them.
 */
@Injectable()
export class DatabaseIndicator {
  #check: Promise<unknown> | null = null;

  constructor(
    private readonly em: EntityManager,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** @throws the error of the database, or DomainError `unavailable` when it does not answer in time or is read-only */
  async isReady(): Promise<HealthIndicatorResult<'database'>> {
    await withAbortScope(LIMIT, (signal) => unlessAborted(signal, this.#askDatabase()));
    return this.indicators.check('database').up();
  }

  /**
   * Requests that come while one check is under way share it: frequent probes must not fill the pool. The table is on
   * every node of Citus: a worker that is away must not take all instances from those whose data is elsewhere.
   * Raw, because it reads no column. On a standby every transaction is read-only.
   */
  #askDatabase(): Promise<unknown> {
    this.#check ??= sql<Answer>`
      select current_setting('transaction_read_only')::boolean as is_read_only from feed_epoch`
      .execute(this.em.getKysely())
      .then(({ rows }) => refuseReadOnly(rows))
      .finally(() => (this.#check = null));
    return this.#check;
  }
}

interface Answer {
  is_read_only: boolean;
}

function refuseReadOnly([answer]: Answer[]): void {
  if (!answer?.is_read_only) return;
  throw new DomainError('unavailable', 'The database accepts no changes at the moment.', { retryAfterSeconds: 5 });
}
