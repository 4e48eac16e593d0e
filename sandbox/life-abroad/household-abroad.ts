import { dayNumber, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { HouseholdOn } from '../household.js';
import { lifeByPlan } from '../life/life.js';
import { spendingHabits } from '../life/spending.js';
import { ACCOUNT_PLANS_ABROAD, BANKS_ABROAD } from './accounts.js';
import { quarterlyInterest, standingHabits } from './income-and-bills.js';
import { ForeignPortfolio } from './portfolio.js';
import { SPENDING_ABROAD } from './shopping.js';
import { transferHabitsAbroad } from './transfers.js';

/** Noor's household: accounts in euros, pounds and yen at five banks, each reached through an aggregator. */
export function householdAbroad(seed = 'tidemark abroad', movedIn: CalendarDate = '2023-01-01'): HouseholdOn {
  const portfolio = new ForeignPortfolio(seed, dayNumber(movedIn));
  const habits = [
    ...standingHabits(seed),
    quarterlyInterest,
    ...transferHabitsAbroad,
    ...spendingHabits(seed, SPENDING_ABROAD, 'AMSTERDAM'),
    portfolio.buyFund,
  ];
  return lifeByPlan(
    seed,
    {
      person: 'Noor',
      banks: BANKS_ABROAD,
      accounts: ACCOUNT_PLANS_ABROAD,
      habits,
      holdings: (account, day, diary) => (account === 'portfolio' ? portfolio.holdings(day, diary) : []),
    },
    movedIn,
  );
}
