import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  Account,
  type AccountRow,
  AccountsRepository,
  atOneMoment,
  type CalendarDate,
  Clock,
  Config,
  dateInTimeZone,
  type DeletedAccounts,
  DomainError,
  EntityManager,
  isUuid,
  type MergedAccounts,
  noteChanges,
  offsetOf,
  type PageQuery,
  reader,
  recordNotFound,
  settingsOf,
} from '../../../src/kit.js';
import { SavingsGoal } from './tables.js';

export const SETTINGS = z.object({
  SAVINGS_GOALS_MAX: z.coerce.number().int().min(1).max(100).prefault('20').describe('Goals that an account may have.'),
});

export interface NewGoal {
  accountId: string;
  name: string;
  targetMinor: number;
  dueOn: CalendarDate | null;
}

/** A goal, and what the newest balance of its account lacks; `null`: no balance in its currency is known. */
export type GoalRow = SavingsGoal & { missingMinor: number | null };

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

@Injectable()
export class SavingsGoalsService {
  readonly #most: number;

  constructor(
    private readonly em: EntityManager,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.#most = settingsOf(config, SETTINGS).SAVINGS_GOALS_MAX;
  }

  /** By name. */
  list(userId: string, page: PageQuery): Promise<{ rows: GoalRow[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const part = { orderBy: { name: 'asc', id: 'asc' }, limit: page.per_page, offset: offsetOf(page) } as const;
      const [goals, totalCount] = await em.findAndCount(SavingsGoal, { userId }, part);
      return { rows: await this.#withBalances(userId, goals), totalCount };
    });
  }

  async find(userId: string, ids: readonly string[]): Promise<GoalRow[]> {
    return this.#withBalances(userId, await this.em.find(SavingsGoal, { userId, id: { $in: [...ids] } }));
  }

  /**
   * @returns the id of the new goal
   * @throws DomainError `record_not_found` without such an account, `conflict` without a currency or with too many goals
   */
  create(userId: string, { accountId, ...wanted }: NewGoal): Promise<string> {
    return this.em.transactional(async () => {
      // Locked, so that goals which are set at the same time are counted one after the other.
      const account = await this.em.findOne(Account, { userId, id: accountId }, LOCKED);
      if (!account) throw recordNotFound('account');
      const { currency } = account;
      if (currency === null) throw new DomainError('conflict', 'The currency of the account is not known yet.');
      if ((await this.em.count(SavingsGoal, { userId, accountId })) >= this.#most) {
        throw new DomainError('conflict', `The account has ${this.#most} goals, which is the limit.`);
      }
      const id = randomUUID();
      const more = { userId, id, accountId, currency, state: 'open' as const, createdAt: this.clock.now() };
      this.em.persist(this.em.create(SavingsGoal, { ...wanted, ...more }));
      noteChanges(userId, { kind: 'savings_goals', ids: [id] });
      return id;
    });
  }

  /** @throws DomainError `record_not_found` */
  async remove(userId: string, id: string): Promise<void> {
    await this.em.transactional(async () => {
      const goal = isUuid(id) ? await this.em.findOne(SavingsGoal, { userId, id }, LOCKED) : null;
      if (!goal) throw recordNotFound('savings goal');
      this.em.remove(goal);
      noteChanges(userId, { kind: 'savings_goals', ids: [id] });
    });
  }

  /** Looks whether goals of these accounts are reached; `null`: of all accounts. In the transaction of an event. */
  async follow(userId: string, accountIds: readonly string[] | null): Promise<void> {
    const ofAccounts = accountIds && { accountId: { $in: [...accountIds] } };
    const goals = await this.em.find(SavingsGoal, { userId, state: { $ne: 'reached' }, ...ofAccounts }, LOCKED);
    const rows = await this.#withBalances(userId, goals);
    const reached = rows.filter(({ missingMinor }) => missingMinor === 0).map(({ id }) => id);
    for (const goal of goals) if (reached.includes(goal.id)) goal.state = 'reached';
    noteChanges(userId, { kind: 'savings_goals', ids: reached });
  }

  /** Marks the open goals whose day has passed everywhere. @param stopping aborts when the instance stops */
  async markMissed(stopping: AbortSignal): Promise<void> {
    const today = dateInTimeZone(this.clock.now(), 'Pacific/Pago_Pago');
    const due = await reader(this.em).find(SavingsGoal, { state: 'open', dueOn: { $lt: today } });
    for (const [userId, goals] of Map.groupBy(due, ({ userId }) => userId)) {
      stopping.throwIfAborted();
      const ids = goals.map(({ id }) => id);
      await this.em.transactional(async () => {
        await this.em.nativeUpdate(SavingsGoal, { userId, id: { $in: ids }, state: 'open' }, { state: 'missed' });
        noteChanges(userId, { kind: 'savings_goals', ids });
      });
    }
  }

  countMissed(userId: string): Promise<number> {
    return reader(this.em).count(SavingsGoal, { userId, state: 'missed' });
  }

  async #withBalances(userId: string, goals: readonly SavingsGoal[]): Promise<GoalRow[]> {
    const accounts = await this.accounts.findByIds(
      userId,
      goals.map(({ accountId }) => accountId),
    );
    return goals.map((goal) => ({ ...goal, missingMinor: missingOf(goal, accounts) }));
  }
}

/** In the transaction that merges accounts. */
export async function moveGoals(em: EntityManager, { userId, fromId, intoId }: MergedAccounts): Promise<void> {
  const goals = await em.find(SavingsGoal, { userId, accountId: fromId });
  for (const goal of goals) goal.accountId = intoId;
  noteChanges(userId, { kind: 'savings_goals', ids: goals.map(({ id }) => id) });
}

/** In the transaction that deletes accounts, and these goals with them. */
export async function noteDeleted(em: EntityManager, { userId, accountIds }: DeletedAccounts): Promise<void> {
  const goals = await em.find(SavingsGoal, { userId, accountId: { $in: [...accountIds] } });
  noteChanges(userId, { kind: 'savings_goals', ids: goals.map(({ id }) => id) });
}

function missingOf({ accountId, currency, targetMinor }: SavingsGoal, accounts: readonly AccountRow[]): number | null {
  const account = accounts.find(({ id }) => id === accountId);
  if (!account || account.balance_minor === null || account.currency !== currency) return null;
  return Math.max(0, targetMinor - account.balance_minor);
}
