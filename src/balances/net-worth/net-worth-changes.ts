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
  /** Of what went out: to accounts of the person that are not compared. */
  toOthersMinor: number;
  /** Of what came in: from accounts of the person that are not compared. */
  fromOthersMinor: number;
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
  outAccountId: string;
  inId: string;
  inAccountId: string;
  currency: string;
  amountMinor: number;
}

type Transferred = Pick<CurrencyChange, 'transferredMinor' | 'toOthersMinor' | 'fromOthersMinor'>;
const NOTHING: Transferred = { transferredMinor: 0, toOthersMinor: 0, fromOthersMinor: 0 };

/**
 * What is transferred in each currency. Each transaction is part of one transfer, between compared accounts if it can be.
 *
 * @param candidates the nearest in time first
 */
export function transferredIn(candidates: readonly TransferCandidate[], changes: readonly AccountChange[]) {
  const compared = new Set(changes.flatMap((one) => (one.isCompared ? `${one.accountId} ${one.currency}` : [])));
  const partOf = ({ outAccountId, inAccountId, currency }: TransferCandidate) => {
    const isOut = compared.has(`${outAccountId} ${currency}`);
    if (compared.has(`${inAccountId} ${currency}`)) return isOut ? 'transferredMinor' : 'fromOthersMinor';
    return isOut ? 'toOthersMinor' : null;
  };
  const taken = new Set<string>();
  const sums = new Map<string, Transferred>();
  for (const one of [...candidates.filter((pair) => partOf(pair) === 'transferredMinor'), ...candidates]) {
    if (taken.has(one.outId) || taken.has(one.inId)) continue;
    taken.add(one.outId).add(one.inId);
    const part = partOf(one);
    const sum = sums.get(one.currency) ?? NOTHING;
    if (part) sums.set(one.currency, { ...sum, [part]: sum[part] + one.amountMinor });
  }
  return sums;
}

/** Adds up compared accounts, each currency by itself. */
export function totalChanges(
  changes: readonly AccountChange[],
  transferred: ReadonlyMap<string, Transferred>,
): CurrencyChange[] {
  const compared = changes.filter(({ isCompared }) => isCompared);
  return [...Map.groupBy(compared, ({ currency }) => currency)].map(([currency, accounts]) => {
    const sum = (member: keyof Omit<Change, 'currency'>) => accounts.reduce((total, one) => total + one[member], 0);
    const found = transferred.get(currency) ?? NOTHING;
    // A transaction that moved no balance, such as one that is listed twice, is part of neither.
    const transferredMinor = Math.min(found.transferredMinor, sum('moneyInMinor'), sum('moneyOutMinor'));
    const moneyInMinor = sum('moneyInMinor') - transferredMinor;
    const moneyOutMinor = sum('moneyOutMinor') - transferredMinor;
    return {
      currency,
      accountsCount: accounts.length,
      transferredMinor,
      toOthersMinor: Math.min(found.toOthersMinor, moneyOutMinor),
      fromOthersMinor: Math.min(found.fromOthersMinor, moneyInMinor),
      startMinor: sum('startMinor'),
      moneyInMinor,
      moneyOutMinor,
      marketMinor: sum('marketMinor'),
      unexplainedMinor: sum('unexplainedMinor'),
      valuesGivenMinor: sum('valuesGivenMinor'),
      endMinor: sum('endMinor'),
    };
  });
}
