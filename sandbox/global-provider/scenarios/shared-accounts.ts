import { lifelikeHousehold } from '../../life/lifelike-household.js';
import type { Scenario } from '../scenario.js';

const elsewhere = lifelikeHousehold();
const NAME = 'High-Yield Savings (8021)';

/** Accounts that another provider reaches as well. */
export const SHARED_ACCOUNTS: readonly Scenario[] = [
  {
    name: 'account-elsewhere',
    plays: 'One account, the savings of the healthy household of the US provider.',
    household: ({ today }) => {
      const { connections, accounts } = elsewhere(today);
      return { today, connections, accounts: accounts.filter(({ name }) => name === NAME) };
    },
  },
];
