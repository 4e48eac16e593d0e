import type { CalendarDate } from '../src/platform/time/calendar-date.js';
import { stableId } from './random.js';

/**
 * The data of one person's banks on one day, in no provider's terms. Any data can be served: an invented household, or
 * the rows of a real bank.
 */
export interface Household {
  today: CalendarDate;
  connections: readonly HouseholdConnection[];
  accounts: readonly HouseholdAccount[];
}

/** Returns the household on a day. Later days only append to it. */
export type HouseholdOn = (today: CalendarDate) => Household;

/** One login at one institution. */
export interface HouseholdConnection {
  id: string;
  name: string;
  institution: Institution;
  /** The aggregator that reaches the institution, if any. */
  upstream?: string;
}

export interface Institution {
  id: string;
  name: string;
  domain: string;
  url: string;
}

export interface HouseholdAccount {
  id: string;
  connectionId: string;
  name: string;
  /** ISO 4217 code, or the name of a custom currency; amounts are in its minor unit, or whole if it has none. */
  currency: string;
  /** Cash before the first of `transactions`. */
  openingMinor: number;
  /** `null`: not reported. */
  availableMinor: number | null;
  /** Unix seconds of the bank's last refresh. */
  refreshedAt: number;
  /** Unix seconds, if the institution reports it. */
  openedAt: number | null;
  /** In order of `posted`; pending ones may be anywhere. */
  transactions: readonly HouseholdTransaction[];
  holdings: readonly HouseholdHolding[];
}

export interface HouseholdTransaction {
  /** Unique within the account. */
  id: string;
  /** The same for a pending transaction and its posted one. Never sent. */
  originId: string;
  /** Unix seconds of posting; `null` while pending. */
  posted: number | null;
  /** Unix seconds of the purchase or order. */
  transactedAt: number;
  /** Holder's view: positive = into the account. */
  amountMinor: number;
  description: string;
  payee: string;
  memo: string;
  mcc: string | null;
}

export interface HouseholdHolding {
  id: string;
  /** Unix seconds when the provider first saw it. */
  firstSeenAt: number;
  symbol: string;
  description: string;
  /** International Securities Identification Number, if it has one. */
  isin?: string;
  /** Decimal text. */
  shares: string;
  valueMinor: number;
  /** 0: not reported. */
  costMinor: number;
  /** Currency of value and cost, if it is not the account's. */
  traded?: { currency: string; valueMinor: number; costMinor: number };
  /** Per share; 0: not reported. */
  purchasePriceMinor: number;
  /** A money-market fund, whose value is part of the account's cash. */
  isCash: boolean;
}

/** Cash posted before an instant (Unix seconds), or all of it. */
export function cashMinor(account: HouseholdAccount, before = Infinity): number {
  let cash = account.openingMinor;
  for (const { posted, amountMinor } of account.transactions) {
    if (posted !== null && posted < before) cash += amountMinor;
  }
  return cash;
}

/** The reported balance: cash posted before an instant, and the value of securities. */
export function balanceMinor(account: HouseholdAccount, before = Infinity): number {
  return account.holdings.reduce(
    (sum, holding) => (holding.isCash ? sum : sum + holding.valueMinor),
    cashMinor(account, before),
  );
}

/** The pending transaction of a posted one. Most banks give the two different ids and no link. */
export function asHold(booking: HouseholdTransaction): HouseholdTransaction {
  return { ...booking, id: stableId('TRN', booking.originId, 'hold'), posted: null };
}
