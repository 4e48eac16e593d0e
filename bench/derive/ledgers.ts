import type { Entry, Ledger, Observation } from '../../src/balances/engine/ledger.js';
import { dayNumber } from '../../src/platform/time/calendar-date.js';

const DAY_MS = 86_400_000;
const LAST_DAY = dayNumber('2026-06-30');
/** Ten years with their leap days. */
export const DAYS = 3_653;
export const FIRST_DAY = LAST_DAY - DAYS + 1;
const OPENING_MINOR = 250_000;
const TYPES = ['depository', 'credit_card', 'loan', null] as const;

/**
 * Accounts of a long life, observed on each of the last so many days; what is older came with the first observation.
 *
 * @param first how many accounts come before these
 */
export function ledgersOf(accounts: number, entriesEach: number, observations: number, first = 0): Ledger[] {
  return Array.from({ length: accounts }, (_, account) => ledger(first + account, entriesEach, observations));
}

function ledger(account: number, count: number, observedDays: number): Ledger {
  const accountType = TYPES[account % TYPES.length]!;
  const isDebt = accountType === 'credit_card' || accountType === 'loan';
  const firstObserved = LAST_DAY - observedDays + 1;
  const entries: Entry[] = Array.from({ length: count }, (_, index) => {
    const day = FIRST_DAY + Math.floor((index * DAYS) / count);
    return {
      key: String(index),
      day,
      amountMinor: ((index * 7_919 + account * 104_729) % 20_011) - 10_000,
      listedFrom: noonOf(Math.max(day, firstObserved)),
      listedUntil: null,
    };
  });
  let balanceMinor = isDebt ? -100_000_000 : OPENING_MINOR;
  let next = 0;
  const observations = Array.from({ length: observedDays }, (_, offset): Observation => {
    const day = firstObserved + offset;
    for (; next < count && entries[next]!.day <= day; next++) balanceMinor += entries[next]!.amountMinor;
    const report = { observedAt: noonOf(day), day, balanceMinor, balanceDay: day };
    return { ...report, pendingMinor: [], holdings: null };
  });
  return { accountType, until: LAST_DAY, completeOn: LAST_DAY, entries, observations };
}

function noonOf(day: number): number {
  return day * DAY_MS + DAY_MS / 2;
}
