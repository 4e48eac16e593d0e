import { addDays, unixSecondsOf, type CalendarDate } from '../../time/calendar-date.js';
import type { Account, Transaction } from '../household.js';
import { stableId } from '../random.js';
import type { Scenario } from '../us-provider-scenario.js';
import { firstAccount } from './household-edits.js';

const DAYS = 40;
const ROWS_PER_DAY = 250;

/** Answers that are large. */
export const LOADS: readonly Scenario[] = [
  {
    name: 'huge',
    plays: 'One account has 10,000 transactions within the last 40 days.',
    household: (household) =>
      firstAccount(household, (account) => ({
        ...account,
        transactions: [...account.transactions, ...manyTransactions(account, household.today)],
      })),
  },
];

/** As many small payments in as out on every day, so that the balance stays what it is. */
function manyTransactions(account: Account, today: CalendarDate): Transaction[] {
  const rows = Array.from({ length: DAYS * ROWS_PER_DAY }, (_, index) => {
    const date = addDays(today, -1 - Math.floor(index / ROWS_PER_DAY));
    return { date, number: index % ROWS_PER_DAY };
  });
  return rows.map(({ date, number }) => {
    const id = stableId('TRN', account.id, 'many', date, number);
    const at = unixSecondsOf(date) + 43_200;
    const text = { description: `MARKET STALL ${number}`, payee: 'Market Stall', memo: '', mcc: null };
    return { id, originId: id, posted: at, transactedAt: at, amountMinor: number % 2 === 0 ? 100 : -100, ...text };
  });
}
