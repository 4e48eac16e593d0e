import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** An amount of one currency times `times`, divided by `by`, is that amount in the other currency. Both are exact. */
export interface ExchangeRate {
  times: bigint;
  by: bigint;
  /** The day of which the rate is; `null`: it is fixed for ever. */
  date: CalendarDate | null;
}

/** What is known of rates into one currency. */
export interface KnownRates {
  /** The newest day with rates; `null`: none are known yet. */
  asOf: CalendarDate | null;
  /** Why there are no newer ones, after “The exchange rates”; `null`: these are the newest. */
  problem: string | null;
  /** @returns `null`: there is none, and nothing may be assumed in its place */
  rateOf(currency: string, day: CalendarDate): ExchangeRate | null;
}

/** What is wanted of rates. */
export interface WantedRates {
  /** The currencies to exchange. */
  from: readonly string[];
  /** The currency in which amounts are shown. */
  into: string;
  firstDay: CalendarDate;
  lastDay: CalendarDate;
}

/** Rates of exchange. A module has them; without one no currency is exchanged into another. */
export abstract class ExchangeRates {
  /** It may ask a server for them, and so is called outside of transactions. */
  abstract read(wanted: WantedRates): Promise<KnownRates>;
}
