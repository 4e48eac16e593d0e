import { unixSecondsOf } from '../../../src/platform/time/calendar-date.js';
import type { Household } from '../../household.js';
import type { Scenario } from '../scenario.js';
import { eachAccount, unlisted } from '../../household-edits.js';

const DAY_SECONDS = 86_400;

/** Balance and list of transactions of different moments, without a warning. */
export const TIMINGS: readonly Scenario[] = [
  {
    name: 'history-later',
    plays: 'The first sync gets the last three days of transactions, the next one all.',
    household: (household, { visit }) => (visit > 1 ? household : unlistedBefore(household, 3)),
  },
  {
    name: 'balance-ahead',
    plays: "Yesterday's transactions are in the balance and are listed a day late.",
    household: (household) =>
      eachAccount(household, (account) => unlisted(account, ({ posted }) => (posted ?? 0) >= yesterdayOf(household))),
  },
  {
    name: 'list-ahead',
    plays: "Yesterday's transactions are listed and are in the balance a day late.",
    household: (household) =>
      eachAccount(household, (account) => {
        const ahead = account.transactions.filter(({ posted }) => (posted ?? 0) >= yesterdayOf(household));
        return {
          ...account,
          openingMinor: ahead.reduce((sum, { amountMinor }) => sum - amountMinor, account.openingMinor),
        };
      }),
  },
];

function unlistedBefore(household: Household, days: number): Household {
  const from = unixSecondsOf(household.today) - days * DAY_SECONDS;
  return eachAccount(household, (account) => unlisted(account, ({ posted }) => (posted ?? 0) < from));
}

function yesterdayOf({ today }: Household): number {
  return unixSecondsOf(today) - DAY_SECONDS;
}
