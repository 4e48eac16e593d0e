import { firstAccount } from '../../household-edits.js';
import { withManyTransactions } from '../../many-transactions.js';
import type { Scenario } from '../scenario.js';

/** Answers that are large. */
export const LOADS: readonly Scenario[] = [
  {
    name: 'huge',
    plays: 'One account has 10,000 transactions within the last 40 days.',
    household: (household) => firstAccount(household, (account) => withManyTransactions(account, household.today)),
  },
];
