import { pick, randomStream, wholeBetween } from '../../sandbox/random.js';
import { dateOfDayNumber, dayNumber } from '../../src/platform/time/calendar-date.js';

// A person's account as its bank books it. Nothing here knows of feeds.

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A Monday. */
export const FIRST_SYNC = dayNumber('2026-03-02');
export const LIFE_DAYS = 120;
export const HISTORY_DAYS = 85;
export const FIRST_DAY = FIRST_SYNC - HISTORY_DAYS;
export const LAST_DAY = FIRST_SYNC + LIFE_DAYS - 1;

export type Persona = 'checking' | 'savings' | 'card' | 'loan';

export interface Posting {
  id: string;
  /** When the ledger balance moved. */
  at: number;
  /** The book day: end-of-day balances of this day and later have it. */
  day: number;
  amount: number;
  text: string;
  /** When it was authorised, if it was: until `at` it is pending. */
  heldAt: number | null;
}

export interface Books {
  persona: Persona;
  /** Before the first day, in the holder's view: a debt is negative. */
  opening: number;
  postings: Posting[];
}

export const dayOf = (at: number) => Math.floor(at / DAY_MS);
export const at = (day: number, hour: number) => day * DAY_MS + Math.round(hour * HOUR_MS);
/** 0 is Sunday. */
export const weekday = (day: number) => (((day + 4) % 7) + 7) % 7;
export const dayOfMonth = (day: number) => Number(dateOfDayNumber(day).slice(8));

/** The next night on which a bank books: not the one to Sunday nor to Monday. */
export function bookingNight(from: number, nights: number): number {
  let day = dayOf(from);
  for (let left = nights; left > 0;) if (![0, 1].includes(weekday(++day))) left--;
  return at(day, 2.5);
}

const SHOPS =
  'Corner Market,Metro Coffee,City Fuel,Green Grocer,Book Barn,Noodle Bar,Pharmacy 24,Hardware Hut,Cinema'.split(',');
const ROUND = [500, 1000, 1000, 2000, 2000, 4000, 5000];

export function liveLife(persona: Persona, seed: string): Books {
  const random = randomStream(`blind/${seed}`);
  const between = (least: number, most: number) => wholeBetween(random, least, most);
  const postings: Posting[] = [];
  const post = (moment: number, amount: number, text: string, heldAt: number | null = null) => {
    postings.push({
      id: `x${postings.length}-${between(1000, 9999)}`,
      at: moment,
      day: dayOf(moment),
      amount,
      text,
      heldAt,
    });
  };
  const [least, most] = {
    checking: [300_000, 900_000],
    card: [-150_000, -30_000],
    savings: [400_000, 2e6],
    loan: [-2.2e6, -1.6e6],
  }[persona] as [number, number];
  const opening = between(least, most);
  const owed = (moment: number) =>
    -postings.reduce((sum, { at, amount }) => (at < moment ? sum + amount : sum), opening);
  const [salary, rent, bill] = [between(180_000, 260_000), between(80_000, 140_000), between(3_000, 9_000)];
  const perDay = { checking: 0.8, card: 1.4, savings: 0.08, loan: 0 }[persona];
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    const date = dayOfMonth(day);
    for (let chance = perDay * random() * 2; chance > random(); chance--) {
      const amount = random() < 0.2 ? pick(random, ROUND) : Math.round(400 * Math.exp(random() * 3.2));
      const moment = at(day, 8 + random() * 14);
      if (persona === 'savings') post(moment, (random() < 0.7 ? 5 : -4) * amount, 'Transfer');
      else if (random() < 0.25 && persona === 'checking') post(moment, -amount, 'Instant transfer');
      else post(bookingNight(moment, between(1, 2)), -amount, pick(random, SHOPS), moment);
    }
    if (persona === 'checking') {
      if (weekday(day) === 5 && day % 14 < 7) post(at(day, 4), salary, 'Salary');
      if (date === 1) post(at(day, 3), -rent, 'Rent');
      if (date === 17) post(at(day, 14), -bill, 'Electricity');
    }
    if (persona === 'savings' && date === 28) post(at(day, 23), between(800, 1900), 'Interest');
    if (persona === 'card' && date === 12) {
      const part = random() < 0.7 ? 1 : random();
      post(at(day, 12), Math.max(2_500, Math.round(owed(at(day, 0)) * part)), 'Payment - thank you');
    }
    if (persona === 'card' && random() < 0.03) post(at(day, 10), pick(random, ROUND), 'Refund');
    if (persona === 'loan' && date === 5) {
      post(at(day, 9), 42_000, 'Loan payment');
      post(at(day, 9), -between(8_200, 8_900), 'Interest charge');
    }
  }
  return { persona, opening, postings };
}
