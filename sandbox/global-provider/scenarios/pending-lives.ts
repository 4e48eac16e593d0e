import {
  bookedForMore,
  bookedUnderSameId,
  withLeftoverHolds,
  withoutHolds,
  withVanishingHolds,
} from '../../hold-lives.js';
import type { Scenario } from '../scenario.js';

/** What happens to pending transactions when `today` moves forward. */
export const PENDING_LIVES: readonly Scenario[] = [
  {
    name: 'pending-new-id',
    plays: 'A pending transaction has no id and is posted under a new one, as in the healthy household.',
  },
  {
    name: 'pending-same-id',
    plays: 'A pending transaction has an id and is posted under it.',
    household: bookedUnderSameId,
  },
  {
    name: 'pending-changed-amount',
    plays: 'A pending transaction is posted with a quarter more.',
    household: bookedForMore,
  },
  {
    name: 'pending-vanishes',
    plays: 'Some pending transactions are listed for three days and never posted.',
    household: withVanishingHolds,
  },
  {
    name: 'pending-twin',
    plays: 'A pending transaction stays listed for three days after it was posted.',
    household: withLeftoverHolds,
  },
  { name: 'pending-never', plays: 'The banks list no pending transactions, even when asked.', household: withoutHolds },
  {
    name: 'pending-unasked',
    plays: 'Pending transactions are sent to those who did not ask, too.',
    habits: { waitsToBeAskedForHolds: false },
  },
];
