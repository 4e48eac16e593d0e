import { TRANSPORT_FAULTS } from '../../transport-faults.js';
import type { Scenario } from '../scenario.js';
import { ACCOUNT_LIVES } from './account-lives.js';
import { COINS } from './coins.js';
import { IDENTITIES } from './identities.js';
import { ODD_ACCOUNTS } from './odd-accounts.js';
import { ODD_ROWS } from './odd-rows.js';
import { PENDING_LIVES } from './pending-lives.js';
import { REFUSALS } from './refusals.js';
import { SHARED_ACCOUNTS } from './shared-accounts.js';
import { OWN_TRANSPORT_FAULTS } from './transport-faults.js';
import { WINDOWS } from './windows.js';

/** Everything the sandbox's global provider can play, by the name that an API key carries. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'healthy', plays: 'Six accounts at five banks in three currencies; nothing goes wrong.' },
  ...COINS,
  ...SHARED_ACCOUNTS,
  ...TRANSPORT_FAULTS,
  ...OWN_TRANSPORT_FAULTS,
  ...REFUSALS,
  ...ACCOUNT_LIVES,
  ...WINDOWS,
  ...PENDING_LIVES,
  ...IDENTITIES,
  ...ODD_ACCOUNTS,
  ...ODD_ROWS,
];
