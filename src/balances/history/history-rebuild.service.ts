import { EntityManager, type FilterQuery, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { reader } from '../../database/reader.js';
import { Account, OWN } from '../accounts/account.entity.js';
import { User } from '../../auth/user.entity.js';
import { usingSessionsFor } from '../../database/sessions/bounded-client.js';
import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { deriveAccountHistory, historyReaches, UncountableAmountsError } from './derive-account-history.js';

/** What a rebuild has done. */
export interface RebuiltHistories {
  accounts: number;
  /** Of these accounts, those that could not be derived. */
  failed: number;
  balancesWritten: number;
}

/** @returns how many rows it wrote */
type Derive = (em: EntityManager, account: Account, today: CalendarDate) => Promise<number>;

/** Rebuilds and continues histories from the stored facts, one account and one transaction at a time. */
@Injectable()
export class HistoryRebuildService {
  readonly #log = new Logger(HistoryRebuildService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @param accountId one account; `null`: every account of every person */
  run(accountId: string | null): Promise<RebuiltHistories> {
    const which = accountId ? { id: accountId } : {};
    return this.#derive(which, async (em, account, today) => {
      return (await deriveAccountHistory(em, account, today, ['recalculated'])).written;
    });
  }

  /** Continues the histories of accounts by hand until today, as a sync does with those of banks. */
  continueOwn(): Promise<RebuiltHistories> {
    const which = { provider: OWN, closedOn: null };
    return this.#derive(which, async (em, account, today) => {
      if (await historyReaches(em, account, today)) return 0;
      return (await deriveAccountHistory(em, account, today, [])).written;
    });
  }

  #derive(which: FilterQuery<Account>, derive: Derive): Promise<RebuiltHistories> {
    return usingSessionsFor('background', () => this.#deriveEach(which, derive));
  }

  async #deriveEach(which: FilterQuery<Account>, derive: Derive): Promise<RebuiltHistories> {
    const em = reader(this.em);
    const accounts = await em.find(Account, which, { orderBy: { userId: 'asc', id: 'asc' } });
    const users = await em.find(User, { id: { $in: [...new Set(accounts.map(({ userId }) => userId))] } });
    const zones = new Map(users.map(({ id, timeZone }) => [id, timeZone]));
    const result = { accounts: accounts.length, failed: 0, balancesWritten: 0 };
    for (const known of accounts) {
      const { userId, id } = known;
      const today = dateInTimeZone(this.clock.now(), zones.get(userId) ?? 'UTC');
      const written = await this.em
        .transactional(async (em) => {
          // Read again under a lock: a running service may sync the same account.
          const account = await em.findOne(Account, { userId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
          return account ? derive(em, account, today) : 0;
        })
        .catch((error: unknown) => this.#noteUncountable(error));
      if (written === null) result.failed++;
      else result.balancesWritten += written;
    }
    return result;
  }

  /** One account that cannot be derived keeps no other from it. */
  #noteUncountable(error: unknown): null {
    if (!(error instanceof UncountableAmountsError)) throw error;
    this.#log.warn(error.message);
    return null;
  }
}
