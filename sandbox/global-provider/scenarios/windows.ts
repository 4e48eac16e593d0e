import { firstAccount } from '../../household-edits.js';
import { withManyTransactions } from '../../many-transactions.js';
import type { Scenario } from '../scenario.js';

/** How much comes of what was asked for. */
export const WINDOWS: readonly Scenario[] = [
  {
    name: 'cut-short',
    plays: 'An answer has the newest 25 transactions of its range; the total counts them all.',
    habits: { mostRows: 25 },
  },
  {
    name: 'total-too-large',
    plays: 'The total is far above the transactions, of which none is missing.',
    transactions: ({ transactions, total }) => ({ transactions, total: total + 500 }),
  },
  {
    name: 'ignores-dates',
    plays: 'All transactions are sent, whatever range is asked for.',
    habits: { filtersByDate: false },
  },
  {
    name: 'no-transactions',
    plays: 'There are accounts and balances, and not one transaction.',
    transactions: () => ({ transactions: [], total: 0 }),
  },
  {
    name: 'huge',
    plays: 'One account has 10,000 transactions within the last 40 days.',
    household: (household) => firstAccount(household, (account) => withManyTransactions(account, household.today)),
  },
];
