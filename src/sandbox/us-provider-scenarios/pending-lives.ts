import { addDays, dateOfUnixSeconds, dayNumber, unixSecondsOf, type CalendarDate } from '../../time/calendar-date.js';
import { asHold, type Account, type Transaction } from '../household.js';
import { stableId } from '../random.js';
import type { Scenario } from '../us-provider-scenario.js';
import { eachAccount, eachTransaction, firstAccount } from './household-edits.js';

/** What becomes of a hold. Move `today` forward to see it. */
export const PENDING_LIVES: readonly Scenario[] = [
  { name: 'pending-new-id', plays: 'A hold is booked under a new id, as in the healthy household.' },
  {
    name: 'pending-same-id',
    plays: 'A hold is booked under its own id.',
    household: (household) => eachHold(household, (hold) => ({ ...hold, id: hold.originId })),
  },
  {
    name: 'pending-changed-amount',
    plays: 'A hold is booked under a new id with a quarter more, as with a tip.',
    household: (household) =>
      eachHold(household, (hold) => ({ ...hold, amountMinor: Math.round(hold.amountMinor * 0.8) })),
  },
  {
    name: 'pending-vanishes',
    plays: 'Some holds are listed for three days and never booked.',
    household: (household) =>
      firstAccount(household, (account) => withHolds(account, hotelHolds(account, household.today))),
  },
  {
    name: 'pending-twin',
    plays: 'A hold stays listed for three days after it was booked.',
    household: (household) =>
      eachAccount(household, (account) => withHolds(account, leftovers(account, household.today))),
  },
  {
    name: 'pending-never',
    plays: 'The banks tell nothing of holds, even when asked.',
    household: (household) =>
      eachAccount(household, (account) => ({
        ...account,
        transactions: account.transactions.filter(({ posted }) => posted !== null),
      })),
  },
  {
    name: 'pending-ignores-window',
    plays: 'Every hold is sent, whatever range is asked for.',
    habits: { pendingOutsideWindow: true },
  },
];

function eachHold(household: Parameters<typeof eachTransaction>[0], edit: (hold: Transaction) => Transaction) {
  return eachTransaction(household, (item) => (item.posted === null ? edit(item) : item));
}

function withHolds(account: Account, holds: Transaction[]): Account {
  return { ...account, transactions: [...account.transactions, ...holds] };
}

/** One is placed every other day. */
function hotelHolds({ id }: Account, today: CalendarDate): Transaction[] {
  const days = [3, 2, 1].map((ago) => addDays(today, -ago)).filter((day) => dayNumber(day) % 2 === 0);
  return days.map((day) => {
    const holdId = stableId('TRN', id, 'hotel', day);
    return {
      id: holdId,
      originId: holdId,
      posted: null,
      transactedAt: unixSecondsOf(day) + 72_000,
      amountMinor: -7_500,
      description: 'DUNE HOUSE HOTEL HOLD',
      payee: 'Dune House Hotel',
      memo: '',
      mcc: '7011',
    };
  });
}

function leftovers(account: Account, today: CalendarDate): Transaction[] {
  const since = unixSecondsOf(addDays(today, -3));
  return account.transactions
    .filter(({ posted, transactedAt }) => {
      if (posted === null || posted < since) return false;
      return dateOfUnixSeconds(transactedAt) < dateOfUnixSeconds(posted);
    })
    .map(asHold);
}
