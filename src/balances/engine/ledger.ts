/** Days since 1970-01-01, see `time/calendar-date`: the form in which the engine counts. */
export type DayNumber = number;

/**
 * How long a bank may take to settle what it did: until a transaction is listed and in the balance, and until a difference goes
 * away. What lasts longer is meant so.
 */
export const SETTLING_DAYS = 10;

/** What is a month apart has nothing to do with each other. */
export const MONTH_DAYS = 31;

/** How far a bank may move the date of a transaction. What is listed further away is another one. */
export const MAX_DAYS_MOVED = SETTLING_DAYS;

export const ACCOUNT_TYPES = [
  'depository',
  'credit_card',
  'loan',
  'investment',
  'crypto',
  'property',
  'vehicle',
  'other_asset',
  'other_liability',
] as const;

export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** Everything known about one account that decides its balance history. All amounts are safe integers in minor units. */
export interface Ledger {
  /** `null`: not known yet, treated as `depository`. */
  accountType: AccountType | null;
  /** The last day to derive: today where the person is. */
  until: DayNumber;
  /** The last day on which the provider listed all transactions until then; `null`: none is known. */
  completeOn: DayNumber | null;
  /** Every version of every posted transaction in the account's currency, in any order. */
  entries: readonly Entry[];
  /** What the provider reported at each sync, in any order. */
  observations: readonly Observation[];
  /** What documents and people state, in any order but that of one day: there the last one counts. Missing: nothing. */
  stated?: readonly StatedBalance[];
  /** Days of which the bank or a file lists all transactions, where anything but the bank is known. Missing: nothing is. */
  listedDays?: readonly ListedDays[];
}

/** Days without a gap, the last one included. */
export interface ListedDays {
  first: DayNumber;
  last: DayNumber;
  /** Otherwise a file does. */
  isByBank: boolean;
}

/** A balance of the end of a day, exact by declaration: without a doubt about its sign, its moment or its rounding. */
export interface StatedBalance {
  /** Identity, for who asks what became of it. */
  key?: string;
  day: DayNumber;
  /** What is owned is positive, and what is owed is negative. */
  balanceMinor: number;
  /** Whether it counts on a day on which the bank reported another balance. */
  prevails: boolean;
}

/**
 * One version of a posted transaction, as the provider listed it for some time. Versions that ended explain the balances
 * reported while they were listed; only versions still listed are flows of the history.
 */
export interface Entry {
  /** Identity of the transaction; all its versions share it, and no two of them are listed at one moment. */
  key: string;
  day: DayNumber;
  /** Holder's view: positive = into the account. */
  amountMinor: number;
  /** A file or a person says the amount: it is the holder's, whatever the sign of the bank. */
  hasHoldersSign?: boolean;
  /** Epoch milliseconds of the first answer that listed this version; an observation at that moment saw it. */
  listedFrom: number;
  /** Epoch milliseconds of the first complete answer that no longer listed it; `null`: it is still listed. */
  listedUntil: number | null;
  /** When the balance moved with it, if that was neither on its day nor when it was listed; inferred, and given by nobody. */
  movedAt?: number;
}

export interface Observation {
  /** Epoch milliseconds. */
  observedAt: number;
  /** The day of `observedAt` in the person's time zone. The balance counts as that of its end. */
  day: DayNumber;
  /** As the provider reported it, in its own sign. */
  balanceMinor: number;
  /** The day the provider says the balance is of, if it says. */
  balanceDay: DayNumber | null;
  /** The amounts of the pending transactions listed at that moment, holder's view. */
  pendingMinor: readonly number[];
  /** The positions held at that moment; `null` when the provider sent none. */
  holdings: readonly Position[] | null;
}

export interface Position {
  /** Stable identity of the security within the account. */
  key: string;
  /** Units held; a float is enough, since only the share of a change in value that was traded is computed from it. */
  quantity: number;
  valueMinor: number;
}
