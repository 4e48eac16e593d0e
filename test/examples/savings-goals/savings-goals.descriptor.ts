import { defineModule } from '../../../src/kit.js';
import { Migration20261201000000SavingsGoals } from './20261201000000-savings-goals.js';
import { SavingsGoal } from './savings-goal.entity.js';
import { SavingsGoalsModule } from './savings-goals.module.js';

export const savingsGoals = defineModule({
  name: 'savings-goals',
  module: SavingsGoalsModule,
  tag: { name: 'Savings goals', description: 'What you want to have in an account, and what it lacks.' },
  scopes: { 'goals:read': 'See savings goals.', 'goals:write': 'Set and remove savings goals.' },
  entities: [SavingsGoal],
  migrations: [Migration20261201000000SavingsGoals],
  personalData: [{ type: 'savings_goal', table: 'savings_goals' }],
  onMerge: (em, { userId, fromId, intoId }) =>
    em.nativeUpdate(SavingsGoal, { userId, accountId: fromId }, { accountId: intoId }),
});
