import { wholeBetween } from '../../../sandbox/random.js';
import type { Bank } from './bank.js';
import { DAY_MS, HOUR_MS, type Hold, type Movement } from './truth.js';

/** Writes an account's true bookings down, with what its bank does to them on the way to the feed. */
export class Diary {
  readonly movements: Movement[] = [];
  readonly holds: Hold[] = [];

  constructor(
    private readonly bank: Bank,
    private readonly random: () => number,
  ) {}

  /** A booking during a day. */
  book(day: number, amountMinor: number): void {
    this.add(day, day * DAY_MS + this.random() * DAY_MS, amountMinor);
  }

  /** Interest and fees, booked at night before anybody looks; some banks move the balance and list nothing. */
  bookAtNight(day: number, amountMinor: number): void {
    const moment = day * DAY_MS + HOUR_MS / 2;
    if (this.chance(this.bank.unlisted)) {
      this.movements.push({ day, bookedAt: moment, listedAt: Infinity, amountMinor, isTrade: false });
    } else this.add(day, moment, amountMinor);
  }

  /** A purchase: at once, or first as a hold that is booked days later, with another amount, or never. */
  buy(day: number, amountMinor: number): void {
    const { holds } = this.bank;
    if (!this.chance(holds.share)) return this.book(day, amountMinor);
    const from = day * DAY_MS + this.random() * DAY_MS;
    const vanishes = this.chance(holds.vanish);
    const bookedOn = day + wholeBetween(this.random, 1, vanishes ? 6 : 3);
    const until = bookedOn * DAY_MS + this.random() * DAY_MS;
    const lingers = this.chance(holds.lingering);
    const changed = this.chance(holds.otherAmount);
    const booked = changed ? Math.round(amountMinor * (0.8 + 0.4 * this.random())) : amountMinor;
    const booking = vanishes ? null : this.add(bookedOn, until, booked);
    const heldMinor = -this.bank.figure.heldInsteadMinor || amountMinor;
    this.holds.push({ from, until, listedUntil: lingers ? until + DAY_MS : until, amountMinor: heldMinor, booking });
  }

  /** Securities bought (negative) or sold. */
  trade(day: number, moment: number, amountMinor: number): void {
    if (this.bank.tradesListed) this.add(day, moment, amountMinor, true);
    else this.movements.push({ day, bookedAt: moment, listedAt: Infinity, amountMinor, isTrade: true });
  }

  private add(day: number, moment: number, amountMinor: number, isTrade = false): Movement {
    const { lateListing, backDating } = this.bank;
    let bookedAt = moment;
    if (!isTrade && this.chance(backDating.share)) bookedAt += wholeBetween(this.random, ...backDating.days) * DAY_MS;
    let listedAt = bookedAt;
    if (this.chance(lateListing.share)) listedAt += wholeBetween(this.random, ...lateListing.days) * DAY_MS;
    const movement = { day, bookedAt, listedAt, amountMinor, isTrade };
    this.movements.push(movement);
    return movement;
  }

  private chance(share: number): boolean {
    return share > 0 && this.random() < share;
  }
}
