import type { AccountType } from '../../../src/balances/engine/ledger.js';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** Interest that accrues is booked on this day of every so many. */
export const ACCRUAL_DAYS = 30;
export const ACCRUAL_BOOKED = 28;

/** One booking as the bank's own books have it, and how its feed comes to tell it. */
export interface Movement {
  /** The day it is booked on: its day in the feed and in the truth. */
  day: number;
  /** When the bank's balance moves, in epoch milliseconds. */
  bookedAt: number;
  /** When the feed begins to list it; `Infinity`: never. */
  listedAt: number;
  /** Holder's view. */
  amountMinor: number;
  /** Cash for securities at their price: it moves nothing between the account and the world. */
  isTrade: boolean;
  /** From this moment on the books state it; by default always. */
  statedFrom?: number;
  /** From this moment on the books no longer state it, and the balance no longer has it. */
  statedUntil?: number;
  /** From this moment on the feed no longer lists it, although the books still state it. */
  unlistedAt?: number;
  /** The id it is listed under; by default one of its own. */
  key?: string;
}

/** A row of the feed that is not one movement: it stands for several, for part of one, or, listed twice, for none. */
export interface Listing {
  key: string;
  day: number;
  amountMinor: number;
  from: number;
  until: number;
  /** A movement is known while a row that stands for it is listed. */
  movements: readonly Movement[];
}

/** An authorisation: no part of the books, but perhaps of the balance that is reported. */
export interface Hold {
  from: number;
  until: number;
  /** The feed may list it longer than it is held. */
  listedUntil: number;
  amountMinor: number;
  /** What it is booked with in the end; `null` when it vanishes. */
  booking: Movement | null;
}

/** Units of one security held from a moment on. */
interface Stake {
  key: string;
  from: number;
  quantity: number;
}

/** An account as it really was. */
export interface TrueAccount {
  name: string;
  type: AccountType | null;
  /** Before the first movement, holder's view. */
  openingMinor: number;
  movements: Movement[];
  /** Rows of the feed beside those of the movements. */
  extraRows: Listing[];
  holds: Hold[];
  /** Interest that the reported balance gains each day; its row is booked once a month. */
  accruesPerDayMinor: number;
  /** Changes in what is held, and the price of each security by day. */
  stakes: Stake[];
  prices: Map<string, Map<number, number>>;
  /** What a thing is worth from a day on. */
  valuations: Map<number, number>;
}

/** Value of the securities held at a moment, at the prices of a day. */
export function positionsAt({ stakes, prices }: TrueAccount, moment: number, day: number): Map<string, Valued> {
  const held = new Map<string, number>();
  for (const { key, from, quantity } of stakes) if (from <= moment) held.set(key, (held.get(key) ?? 0) + quantity);
  const positions = new Map<string, Valued>();
  for (const [key, quantity] of held) {
    if (quantity !== 0) positions.set(key, { quantity, valueMinor: quantity * prices.get(key)!.get(day)! });
  }
  return positions;
}

interface Valued {
  quantity: number;
  valueMinor: number;
}

export function worthOf(positions: Map<string, Valued>): number {
  let total = 0;
  for (const { valueMinor } of positions.values()) total += valueMinor;
  return total;
}

/** Whether the books state a movement at a moment. */
export function isStated({ statedFrom = -Infinity, statedUntil = Infinity }: Movement, moment: number): boolean {
  return statedFrom <= moment && moment < statedUntil;
}

/** The true balance at the end of every day from `from` to `to`, holder's view, as the books state it at a moment. */
export function trueBalances(account: TrueAccount, from: number, to: number, moment: number): Float64Array {
  const balances = new Float64Array(to - from + 1);
  const change = new Map<number, number>();
  let cash = account.openingMinor;
  for (const movement of account.movements) {
    const { day, amountMinor, bookedAt } = movement;
    if (bookedAt > moment || !isStated(movement, moment)) continue;
    if (day < from) cash += amountMinor;
    else change.set(day, (change.get(day) ?? 0) + amountMinor);
  }
  let thing = 0;
  for (const [day, value] of account.valuations) if (day < from) thing = value;
  for (let day = from; day <= to; day++) {
    cash += change.get(day) ?? 0;
    thing = account.valuations.get(day) ?? thing;
    const securities = account.stakes.length === 0 ? 0 : worthOf(positionsAt(account, (day + 1) * DAY_MS - 1, day));
    balances[day - from] = cash + securities + thing;
  }
  return balances;
}
