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
  { name: 'pending-new-id', plays: 'A pending transaction is posted under a new id, as in the healthy household.' },
  { name: 'pending-same-id', plays: 'A pending transaction is posted under its own id.', household: bookedUnderSameId },
  {
    name: 'pending-changed-amount',
    plays: 'A pending transaction is posted under a new id with a quarter more, as with a tip.',
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
  {
    name: 'pending-never',
    plays: 'The banks list no pending transactions, even when asked.',
    household: withoutHolds,
  },
  {
    name: 'pending-ignores-window',
    plays: 'Every pending transaction is sent, whatever range is asked for.',
    habits: { pendingOutsideWindow: true },
  },
];
