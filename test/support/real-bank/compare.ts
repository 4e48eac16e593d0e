import { addDays, type CalendarDate, daysBetween } from '../../../src/platform/time/calendar-date.js';
import type { BankRow } from './bank-file.js';

export interface Comparison {
  accounts: number;
  accountDays: number;
  /** Equal to the bank's own end-of-day balance. */
  exact: number;
  /** Apart by what the bank rounded away on later days, and by nothing else. */
  withinRounding: number;
  off: number;
  /** Of the days within rounding, the largest distance in minor units. */
  largestRoundingMinor: number;
}

/** End-of-day balances as served, in minor units, by `account/date`. */
type ServedBalances = ReadonlyMap<string, number>;

/** Compares every day of every account, from its first row to today, with the bank's own balance. */
export function compareWithBank(
  accounts: ReadonlyMap<string, BankRow[]>,
  served: ServedBalances,
  today: CalendarDate,
): Comparison {
  const result = {
    accounts: accounts.size,
    accountDays: 0,
    exact: 0,
    withinRounding: 0,
    off: 0,
    largestRoundingMinor: 0,
  };
  for (const [account, rows] of accounts) {
    for (const { date, balanceMinor, roundedLaterMinor } of bankDays(rows, today)) {
      const difference = (served.get(`${account}/${date}`) ?? NaN) - balanceMinor;
      result.accountDays++;
      if (difference === 0) result.exact++;
      else if (difference === roundedLaterMinor) {
        result.withinRounding++;
        result.largestRoundingMinor = Math.max(result.largestRoundingMinor, Math.abs(difference));
      } else result.off++;
    }
  }
  // A day that is served but that the bank does not know would be off too.
  result.off += Math.max(0, served.size - result.accountDays);
  return result;
}

interface BankDay {
  date: CalendarDate;
  balanceMinor: number;
  /** How far a history that ends at the bank's last balance must lie from the bank's figure on this day. */
  roundedLaterMinor: number;
}

function bankDays(rows: readonly BankRow[], today: CalendarDate): BankDay[] {
  const first = rows[0]?.date ?? today;
  const days = Array.from({ length: daysBetween(first, today) + 1 }, (_, i) => ({
    date: addDays(first, i),
    balanceMinor: 0,
    roundedLaterMinor: 0,
  }));
  let before = 0;
  for (const { date, amountMinor, balanceMinor } of rows) {
    const index = daysBetween(first, date);
    const step = balanceMinor - before - amountMinor;
    for (const day of days.slice(0, index)) day.roundedLaterMinor += step;
    for (const day of days.slice(index)) day.balanceMinor = balanceMinor;
    before = balanceMinor;
  }
  return days;
}
