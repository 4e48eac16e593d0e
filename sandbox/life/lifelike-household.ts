import { dayNumber, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { HouseholdOn } from '../household.js';
import { ACCOUNT_PLANS, BANKS } from './accounts.js';
import { Brokerage } from './brokerage.js';
import { billHabits, BILLS, salary, savingsInterest } from './income-and-bills.js';
import { lifeByPlan } from './life.js';
import { SPENDING } from './merchants.js';
import { spendingHabits } from './spending.js';
import { transferHabits } from './transfers.js';
import { yenHabits } from './yen-account.js';

/** Rowan's household: six accounts at five banks. */
export function lifelikeHousehold(seed = 'tidemark', movedIn: CalendarDate = '2023-01-01'): HouseholdOn {
  const brokerage = new Brokerage(seed, dayNumber(movedIn));
  const habits = [
    salary,
    savingsInterest,
    ...billHabits(seed, BILLS),
    ...transferHabits,
    ...spendingHabits(seed, SPENDING, 'SPRINGFIELD'),
    ...yenHabits(seed),
    ...brokerage.habits,
  ];
  return lifeByPlan(
    seed,
    {
      person: 'Rowan',
      banks: BANKS,
      accounts: ACCOUNT_PLANS,
      habits,
      holdings: (account, day, diary) => (account === 'brokerage' ? brokerage.holdings(day, diary) : []),
    },
    movedIn,
  );
}
