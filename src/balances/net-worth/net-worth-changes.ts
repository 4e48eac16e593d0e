import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** How net worth came from one figure to another, in minor units: start + in − out + market + unexplained = end. */
export interface Change {
  currency: string;
  startMinor: number;
  moneyInMinor: number;
  moneyOutMinor: number;
  marketMinor: number;
  unexplainedMinor: number;
  /** Of what is unexplained: what a person says that accounts by hand are worth. */
  valuesGivenMinor: number;
  endMinor: number;
}

/** Of one account; debts are negative, as they count in net worth. */
export interface AccountChange extends Change {
  accountId: string;
  accountName: string;
  /** Whether it is known on all days, so that it is part of the totals. */
  isCompared: boolean;
  /** The first day that is counted of it. */
  since: CalendarDate;
}

/** Of the compared accounts in one currency. */
export interface CurrencyChange extends Change {
  accountsCount: number;
  /** What went from one of them to another, which is neither in what came in nor in what went out. */
  transferredMinor: number;
  /** Of all currencies in one: what exchange rates changed. */
  ratesMinor?: number;
}

/** Each in the order of the currencies. */
export interface Changes {
  currencies: readonly CurrencyChange[];
  /** Every account that counts on some of the days. */
  accounts: readonly AccountChange[];
}

/** Two transactions that may be one transfer: the same amount out of one account and into another one. */
export interface TransferCandidate {
  outId: string;
  inId: string;
  currency: string;
  amountMinor: number;
}

/** What is transferred in each currency. Each transaction is part of one transfer. @param candidates the nearest in time first */
export function transferredIn(candidates: readonly TransferCandidate[]): Map<string, number> {
  const taken = new Set<string>();
  const sums = new Map<string, number>();
  for (const { outId, inId, currency, amountMinor } of candidates) {
    if (taken.has(outId) || taken.has(inId)) continue;
    taken.add(outId).add(inId);
    sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  }
  return sums;
}

/** Adds up compared accounts, each currency by itself. */
export function totalChanges(
  changes: readonly AccountChange[],
  transferred: ReadonlyMap<string, number>,
): CurrencyChange[] {
  const compared = changes.filter(({ isCompared }) => isCompared);
  return [...Map.groupBy(compared, ({ currency }) => currency)].map(([currency, accounts]) => {
    const sum = (member: keyof Omit<Change, 'currency'>) => accounts.reduce((total, one) => total + one[member], 0);
    const [moneyInMinor, moneyOutMinor] = [sum('moneyInMinor'), sum('moneyOutMinor')];
    // A transaction that moved no balance, such as one that is listed twice, is part of neither.
    const transferredMinor = Math.min(transferred.get(currency) ?? 0, moneyInMinor, moneyOutMinor);
    return {
      currency,
      accountsCount: accounts.length,
      transferredMinor,
      startMinor: sum('startMinor'),
      moneyInMinor: moneyInMinor - transferredMinor,
      moneyOutMinor: moneyOutMinor - transferredMinor,
      marketMinor: sum('marketMinor'),
      unexplainedMinor: sum('unexplainedMinor'),
      valuesGivenMinor: sum('valuesGivenMinor'),
      endMinor: sum('endMinor'),
    };
  });
}
