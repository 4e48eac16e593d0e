import { randomUUID } from 'node:crypto';
import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account, Clock, DomainError, isUuid, noteChanges, recordNotFound } from '../../../src/kit.js';
import type { CreateSavingsGoalRequest } from './create-savings-goal.request.js';
import { SavingsGoal } from './savings-goal.entity.js';

/** Everything that a caller can create has a limit. */
const MAX_GOALS_OF_ACCOUNT = 20;

@Injectable()
export class SavingsGoalsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the id of the new goal
   * @throws DomainError `record_not_found` without such an account, `conflict` without a currency or with too many goals
   */
  create(userId: string, request: CreateSavingsGoalRequest): Promise<string> {
    return this.em.transactional(async () => {
      // Locked, so that goals which are set at the same time are counted one after the other.
      const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
      const account = await this.em.findOne(Account, { userId, id: request.account_id }, lock);
      if (!account) throw recordNotFound('account');
      if (account.currency === null) throw new DomainError('conflict', 'The currency of the account is not known yet.');
      if ((await this.em.count(SavingsGoal, { userId, accountId: account.id })) >= MAX_GOALS_OF_ACCOUNT) {
        throw new DomainError('conflict', `The account has ${MAX_GOALS_OF_ACCOUNT} goals, which is the limit.`);
      }
      const goal = this.em.create(SavingsGoal, {
        userId,
        id: randomUUID(),
        accountId: account.id,
        name: request.name,
        targetMinor: request.target_cents,
        currency: account.currency,
        dueOn: request.due_on ?? null,
        createdAt: this.clock.now(),
      });
      this.em.persist(goal);
      noteGoals(goal);
      return goal.id;
    });
  }

  /** @throws DomainError `record_not_found` */
  async remove(userId: string, id: string): Promise<void> {
    await this.em.transactional(async () => {
      const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
      const goal = isUuid(id) ? await this.em.findOne(SavingsGoal, { userId, id }, lock) : null;
      if (!goal) throw recordNotFound('savings goal');
      this.em.remove(goal);
      noteGoals(goal);
    });
  }
}

/** The entity tag of the list changes with the account. */
function noteGoals({ userId, accountId }: SavingsGoal): void {
  noteChanges(userId, { kind: 'accounts', ids: [accountId] });
}
