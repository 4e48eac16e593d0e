import type { CalendarDate } from '../time/calendar-date.js';
import { stableId } from './random.js';

/**
 * What the banks of one person know on one day: the data behind a sandbox provider. No provider's words in it, so that
 * any data (a lifelike invention, a table of real bank rows) can be served.
 */
export interface Household {
  today: CalendarDate;
  connections: readonly Connection[];
  accounts: readonly Account[];
}

/** Tells the household of a day. The past must not depend on the day asked for: later days only append. */
export type HouseholdOn = (today: CalendarDate) => Household;

/** One login at one institution. */
export interface Connection {
  id: string;
  name: string;
  institution: Institution;
  /** The aggregator through which the institution is reached, where one stands between. */
  upstream?: string;
}

export interface Institution {
  id: string;
  name: string;
  domain: string;
  url: string;
}

export interface Account {
  id: string;
  connectionId: string;
  name: string;
  /** ISO 4217 code, or the name of a custom currency; amounts are in its minor unit, or whole if it has none. */
  currency: string;
  /** Cash before the first of `transactions`. */
  openingMinor: number;
  /** `null`: the institution tells none. */
  availableMinor: number | null;
  /** Unix seconds of the bank's last refresh. */
  refreshedAt: number;
  /** Unix seconds, if the institution tells it. */
  openedAt: number | null;
  /** In order of `posted`; holds (pending) have no place in the order. */
  transactions: readonly Transaction[];
  holdings: readonly Holding[];
}

export interface Transaction {
  /** Unique within the account. */
  id: string;
  /** The same for a hold and the booking it becomes, whatever ids they are given. Never sent. */
  originId: string;
  /** Unix seconds of booking; `null` while pending. */
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

export interface Holding {
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
  /** 0 where the institution does not tell. */
  costMinor: number;
  /** Value and cost in the currency in which the security is traded, where that is another than the account's. */
  traded?: { currency: string; valueMinor: number; costMinor: number };
  /** Per share; 0 where the institution does not tell. */
  purchasePriceMinor: number;
  /** A money-market fund holds part of the account's cash; its value is not on top of it. */
  isCash: boolean;
}

/** Cash booked before an instant (Unix seconds), or all of it. */
export function cashMinor(account: Account, before = Infinity): number {
  let cash = account.openingMinor;
  for (const { posted, amountMinor } of account.transactions) {
    if (posted !== null && posted < before) cash += amountMinor;
  }
  return cash;
}

/** The account's balance as its bank reports it: cash booked before an instant, and the value of its securities. */
export function balanceMinor(account: Account, before = Infinity): number {
  return account.holdings.reduce(
    (sum, holding) => (holding.isCash ? sum : sum + holding.valueMinor),
    cashMinor(account, before),
  );
}

/** What a booking was before. Most banks give the two different ids and no link. */
export function asHold(booking: Transaction): Transaction {
  return { ...booking, id: stableId('TRN', booking.originId, 'hold'), posted: null };
}
