import { Module } from '@nestjs/common';
import { defineModule, defineTool, KitModule, PageQuery, RefusedError, UsersRepository } from '../../../src/kit.js';
import { SavingsGoalResponse, SavingsGoalsController, toSavingsGoal } from './savings-goals.controller.js';
import { SavingsGoalsPageController } from './savings-goals.page.js';
import { moveGoals, noteDeleted, SavingsGoalsService, SETTINGS } from './savings-goals.service.js';
import { Migration20261201000000SavingsGoals, SavingsGoal } from './tables.js';

@Module({
  imports: [KitModule],
  controllers: [SavingsGoalsController, SavingsGoalsPageController],
  providers: [SavingsGoalsService],
})
class SavingsGoalsModule {}

export const savingsGoals = defineModule({
  name: 'savings-goals',
  needs: '^1.0',
  module: SavingsGoalsModule,
  tag: { name: 'Savings goals', description: 'What you want to have in an account, and what it lacks.' },
  scopes: { 'goals:read': 'See savings goals.', 'goals:write': 'Set and remove savings goals.' },
  settings: SETTINGS,
  entities: [SavingsGoal],
  migrations: [Migration20261201000000SavingsGoals],
  personalData: [{ type: 'savings_goal', table: 'savings_goals' }],
  onMerge: moveGoals,
  onDelete: noteDeleted,
  changes: [
    {
      kind: 'savings_goals',
      scope: 'goals:read',
      table: 'savings_goals',
      response: SavingsGoalResponse,
      read: async ({ userId }, ids, get) => (await get(SavingsGoalsService).find(userId, ids)).map(toSavingsGoal),
    },
  ],
  on: {
    'balances.changed': ({ userId, accountIds }, get) => get(SavingsGoalsService).follow(userId, accountIds),
  },
  tasks: [
    {
      name: 'missed-goals',
      cron: () => '20 5 * * *',
      isDaily: true,
      run: (get, stopping) => get(SavingsGoalsService).markMissed(stopping),
    },
  ],
  pages: [{ place: 'navigation', path: '/goals', text: 'Goals' }],
  attention: async (userId, get) => {
    const missed = await get(SavingsGoalsService).countMissed(userId);
    return missed === 0 ? [] : [{ text: `Savings goals that were not reached in time: ${missed}.`, path: '/goals' }];
  },
  commands: {
    'goals:list': {
      summary: 'Lists the savings goals of a person.',
      options: { email: { value: 'E', required: true } },
      run: ({ email = '' }, { inApplication }) =>
        inApplication(async (app) => {
          const user = await app.get(UsersRepository, { strict: false }).findByEmail(email);
          if (!user) throw new RefusedError(`There is no user with the e-mail address ${email}.`);
          const { rows } = await app
            .get(SavingsGoalsService, { strict: false })
            .list(user.id, { page: 1, per_page: 100 });
          return { savings_goals: rows.map(toSavingsGoal) };
        }),
    },
  },
  tools: [
    defineTool({
      name: 'list_savings_goals',
      title: 'Savings goals',
      description: 'What the person wants to have in accounts, and what they lack.',
      scope: 'goals:read',
      query: PageQuery,
      read: (caller, query, get) => get(SavingsGoalsController).list(caller, query),
    }),
  ],
});
