import type { Bank } from './bank.js';
import type { Member } from './household.js';
import { FIRST_SYNC_DAY } from './span.js';
import { DAY_MS, type TrueAccount } from './truth.js';

/**
 * The simulator's books of an account, to be told otherwise. Days and moments are counted in days from the day of the
 * first sync, amounts are minor units, in the holder's view.
 */
export class Books implements Member {
  bank: Bank;
  /** The moments that balances are of, by the moment of their report, where they are not of the simulator's. */
  readonly balanceOf = new Map<number, number>();

  constructor(
    readonly account: TrueAccount,
    bank: Bank,
  ) {
    this.bank = bank;
  }

  /** There was so much more before everything that is listed. */
  openWith(moreMinor: number): void {
    this.account.openingMinor += moreMinor;
  }

  /** A booking that is never listed. */
  bookUnlisted(at: number, amountMinor: number): void {
    const day = FIRST_SYNC_DAY + Math.floor(at);
    this.account.movements.push({ day, bookedAt: momentOf(at), listedAt: Infinity, amountMinor, isTrade: false });
  }

  /** An entry reaches the balance at another moment; it is listed as before. */
  bookListed(day: number, amountMinor: number, at: number): void {
    const isIt = (one: { day: number; amountMinor: number }) =>
      one.day === FIRST_SYNC_DAY + day && one.amountMinor === amountMinor;
    const movement = this.account.movements.find(isIt);
    if (!movement) throw new Error(`no ${amountMinor} on day ${day}`);
    movement.bookedAt = momentOf(at);
  }

  /** What was held from a day on is not held at all. */
  removeHold(day: number, amountMinor: number): void {
    const { holds } = this.account;
    const place = holds.findIndex((one) => one.amountMinor === amountMinor && dayOf(one.from) === day);
    if (place < 0) throw new Error(`no ${amountMinor} held from day ${day} on`);
    holds.splice(place, 1);
  }

  /** A hold that is released. */
  hold(from: number, to: number, amountMinor: number): void {
    const until = momentOf(to);
    this.account.holds.push({ from: momentOf(from), until, listedUntil: until, amountMinor, booking: null });
  }

  /** What was traded on a day is traded at another moment, at the price of that day. */
  trade(day: number, at: number): void {
    const { stakes, movements, prices } = this.account;
    const stake = stakes.find(({ from }) => dayOf(from) === day);
    const movement = movements.find(({ isTrade, bookedAt }) => isTrade && bookedAt === stake?.from);
    if (!stake || !movement) throw new Error(`nothing traded on day ${day}`);
    movement.day = FIRST_SYNC_DAY + Math.floor(at);
    movement.amountMinor = -stake.quantity * prices.get(stake.key)!.get(movement.day)!;
    movement.bookedAt = stake.from = momentOf(at);
  }

  /** The balance reported at a moment is of another one. */
  report(at: number, balanceOf: number): void {
    this.balanceOf.set(momentOf(at), momentOf(balanceOf));
  }
}

function momentOf(days: number): number {
  return Math.round((FIRST_SYNC_DAY + days) * DAY_MS);
}

function dayOf(moment: number): number {
  return Math.floor(moment / DAY_MS) - FIRST_SYNC_DAY;
}
