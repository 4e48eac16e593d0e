import type { DatesAs } from '../../balances/accounts/account.entity.js';
import type { SnapshotAccount, SnapshotBalance, SnapshotTransaction } from '../../providers/bank-provider.js';
import { type CalendarDate, dateInTimeZone, earliest } from '../../platform/time/calendar-date.js';

/** So many of the newest moments decide how a feed writes days. */
const ENOUGH_MOMENTS = 20;
/** Fewer moments at noon or midnight are payments that were made then. */
const MIN_WHOLE_OF_DAYS = 2;
/** A decision for moments is taken back once so many are at noon or midnight. */
const MIN_WHOLE_OF_CHANGED = 10;

/** Where the person lives, and which day it is there. */
interface Reader {
  /** An IANA name. */
  timeZone: string;
  today: CalendarDate;
}

type Dated = Pick<SnapshotTransaction, 'date' | 'moment'>;

/**
 * Gives the transactions and the balance of an answer the days on which the person sees them at the bank: a moment is of
 * the day that it is where the person lives, unless it stands for a day. None lies after the person's today. A row keeps
 * the other day that its moment may mean, under which it may be stored.
 *
 * @param kept how the account's feed writes days, as it was decided before; `null`: it was not
 */
export function readDays(
  answer: SnapshotAccount,
  kept: DatesAs | null,
  reader: Reader,
): { snapshot: SnapshotAccount; datesAs: DatesAs | null } {
  const datesAs = decide(kept, answer.transactions);
  const hasChanged = kept !== null && datesAs !== kept;
  const transactions = answer.transactions.map((row): SnapshotTransaction => {
    const date = dayMeant(row, datesAs, reader);
    const otherDate = hasChanged ? dayMeant(row, kept, reader) : row.date;
    if (row.dateIsGuess || date > reader.today) return { ...row, date: reader.today, dateIsGuess: true };
    return date === row.date && date === otherDate ? row : { ...row, date, otherDate };
  });
  const balance = answer.balance && readBalance(answer.balance, datesAs, reader);
  return { snapshot: { ...answer, transactions, balance }, datesAs };
}

/** Without its moment, because a report is the same at another time of the day. */
function readBalance(balance: SnapshotBalance, datesAs: DatesAs | null, reader: Reader): SnapshotBalance {
  const { amountMinor, availableMinor, date, moment } = balance;
  const day = date && dayMeant({ date, ...(moment && { moment }) }, datesAs, reader);
  return { amountMinor, availableMinor, date: day && earliest(day, reader.today) };
}

/**
 * Decides by the newest twenty moments of an answer how its feed writes days, and keeps the decision. Only a feed of moments
 * that has become one of days is decided again: in a feed of days, any other time is read as a moment anyway.
 */
function decide(kept: DatesAs | null, rows: readonly Dated[]): DatesAs | null {
  if (kept === 'days') return kept;
  const moments = rows.flatMap(({ moment }) => moment ?? []);
  if (moments.length < ENOUGH_MOMENTS) return kept;
  const newest = moments.sort((a, b) => b.unixSeconds - a.unixSeconds).slice(0, ENOUGH_MOMENTS);
  const wholeCount = newest.filter(({ isWhole }) => isWhole).length;
  return wholeCount < (kept === null ? MIN_WHOLE_OF_DAYS : MIN_WHOLE_OF_CHANGED) ? 'instants' : 'days';
}

/** Noon and midnight stand for the day that is written, unless the feed is known to write moments. */
function dayMeant({ date, moment }: Dated, datesAs: DatesAs | null, { timeZone }: Reader): CalendarDate {
  if (!moment || (moment.isWhole && datesAs !== 'instants')) return date;
  return dateInTimeZone(new Date(moment.unixSeconds * 1000), timeZone);
}
