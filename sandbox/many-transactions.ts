import { addDays, unixSecondsOf, type CalendarDate } from '../src/platform/time/calendar-date.js';
import type { HouseholdAccount, HouseholdTransaction } from './household.js';
import { stableId } from './random.js';

const DAYS = 40;
const ROWS_PER_DAY = 250;

/** The account with 10,000 more transactions within the last 40 days. */
export function withManyTransactions(account: HouseholdAccount, today: CalendarDate): HouseholdAccount {
  return { ...account, transactions: [...account.transactions, ...manyTransactions(account, today)] };
}

/** As many small payments in as out on every day, so that the balance stays what it is. */
function manyTransactions(account: HouseholdAccount, today: CalendarDate): HouseholdTransaction[] {
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
