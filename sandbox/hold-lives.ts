import {
  addDays,
  dateOfUnixSeconds,
  dayNumber,
  unixSecondsOf,
  type CalendarDate,
} from '../src/platform/time/calendar-date.js';
import { asHold, type HouseholdAccount, type Household, type HouseholdTransaction } from './household.js';
import { eachAccount, eachTransaction, firstAccount } from './household-edits.js';
import { stableId } from './random.js';

/** What can happen to pending transactions. A normal household posts them under a new id with the same amount. */

export function bookedUnderSameId(household: Household): Household {
  return eachHold(household, (hold) => ({ ...hold, id: hold.originId }));
}

/** The posted amount is a quarter more than the pending one, as with a tip. */
export function bookedForMore(household: Household): Household {
  return eachHold(household, (hold) => ({ ...hold, amountMinor: Math.round(hold.amountMinor * 0.8) }));
}

/** Every other day a pending transaction appears, and disappears three days later. */
export function withVanishingHolds(household: Household): Household {
  return firstAccount(household, (account) => withHolds(account, hotelHolds(account, household.today)));
}

/** A pending transaction stays listed for three days after it was posted. */
export function withLeftoverHolds(household: Household): Household {
  return eachAccount(household, (account) => withHolds(account, leftovers(account, household.today)));
}

export function withoutHolds(household: Household): Household {
  return eachAccount(household, (account) => ({
    ...account,
    transactions: account.transactions.filter(({ posted }) => posted !== null),
  }));
}

function eachHold(household: Household, edit: (hold: HouseholdTransaction) => HouseholdTransaction): Household {
  return eachTransaction(household, (item) => (item.posted === null ? edit(item) : item));
}

function withHolds(account: HouseholdAccount, holds: HouseholdTransaction[]): HouseholdAccount {
  return { ...account, transactions: [...account.transactions, ...holds] };
}

/** One appears every other day. */
function hotelHolds({ id }: HouseholdAccount, today: CalendarDate): HouseholdTransaction[] {
  const days = [3, 2, 1].map((ago) => addDays(today, -ago)).filter((day) => dayNumber(day) % 2 === 0);
  return days.map((day) => {
    return {
      id: stableId('TRN', id, 'hotel', day),
      originId: stableId('TRN', id, 'hotel', day, 'never booked'),
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

function leftovers(account: HouseholdAccount, today: CalendarDate): HouseholdTransaction[] {
  const since = unixSecondsOf(addDays(today, -3));
  return account.transactions
    .filter(({ posted, transactedAt }) => {
      if (posted === null || posted < since) return false;
      return dateOfUnixSeconds(transactedAt) < dateOfUnixSeconds(posted);
    })
    .map(asHold);
}
