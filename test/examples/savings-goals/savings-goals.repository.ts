import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { atOneMoment, type Balance, type PageQuery } from '../../../src/kit.js';
import type { SavingsGoal } from './savings-goal.entity.js';

/** The tables that this file reads: a column that an entity does not have is a compile error. */
type Tables = InferClassEntityDB<typeof SavingsGoal | typeof Balance>;

/** A goal beside the newest balance of its account in the same currency. */
export interface SavingsGoalRow {
  id: string;
  accountId: string;
  name: string;
  currency: string;
  targetMinor: number;
  dueOn: string | null;
  balanceMinor: number | null;
}

export class SavingsGoalsRepository extends EntityRepository<SavingsGoal> {
  /** By name. */
  listPage(userId: string, page: PageQuery): Promise<{ rows: SavingsGoalRow[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const goals = em.getKysely<Tables>().selectFrom('savings_goals as g').where('g.user_id', '=', userId);
      const { total } = await goals.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
      const rows = await goals
        .leftJoinLateral(
          (from) =>
            from
              .selectFrom('balances as b')
              .select(['b.end_cash', 'b.end_non_cash'])
              .whereRef('b.user_id', '=', 'g.user_id')
              .whereRef('b.account_id', '=', 'g.account_id')
              .whereRef('b.currency', '=', 'g.currency')
              .orderBy('b.date', 'desc')
              .limit(1)
              .as('newest'),
          (join) => join.onTrue(),
        )
        .select(['g.id', 'g.account_id as accountId', 'g.name', 'g.currency'])
        // Raw, because the driver gives int8 and date as text or objects: float8 holds every amount that is a safe integer.
        .select([
          sql<number>`g.target_minor::float8`.as('targetMinor'),
          sql<string | null>`g.due_on::text`.as('dueOn'),
          sql<number | null>`(newest.end_cash + newest.end_non_cash)::float8`.as('balanceMinor'),
        ])
        .orderBy('g.name')
        .orderBy('g.id')
        .limit(page.per_page)
        .offset((page.page - 1) * page.per_page)
        .execute();
      return { rows, totalCount: Number(total) };
    });
  }
}
