import {
  ACCOUNT_TYPES,
  type Entry,
  type Ledger,
  type ListedDays,
  type Observation,
  type Position,
  type StatedBalance,
} from '../../src/balances/engine/ledger.js';
import { minorDigits } from '../../src/platform/money/currency.js';
import { parseMinor } from '../../src/platform/money/minor-units.js';
import { dateInTimeZone, dayNumber } from '../../src/platform/time/calendar-date.js';

const YEAR = '2026';
/** When a bank is asked that day, if a line does not say. */
const EVENING = '20:00';

/** A ledger as a person would write it down. Days are of 2026. */
export interface WrittenLedger extends Ledger {
  currency: string;
  /** How many decimals its amounts have. */
  digits: number;
}

/**
 * Reads a ledger such as
 *
 *     depository in USD
 *     03-01          +500.00  salary
 *     03-02           -20.00  groceries, listed 03-04
 *     03-02  balance  480.00
 *     03-04 09:00 balance 480.00 of 03-03, holds -12.00 -8.00    # what comes after a # is the margin
 *
 * The first line is the account's type (`unknown`: not known yet) and its currency. Then one line for each entry and
 * each balance reported. Banks are asked at 20:00 if a line does not say otherwise; an entry is listed with the first
 * balance of its day or later, if it does not say otherwise. `-20.00 [7] lunch, listed 03-02, until 03-04` is a version of
 * transaction 7, which the bank listed until the evening of 4 March. A brokerage tells `holding 10 ACME 1500.00, 3 BND 300.00`,
 * `holding nothing`, or nothing about it.
 *
 * `03-10 states 500.00` is a balance that a document states, `03-10 states 500.00 for sure` one that the person prefers to the
 * bank's, and `03-01..03-20 in a file` days of which a file lists everything.
 *
 * The last day derived is that of the last line, until {@link asOf} asks for another. Nothing is listed after it.
 *
 * @param timeZone where the person is, whose day a balance is of; times are written in UTC
 */
export function ledger(text: string, timeZone = 'UTC'): WrittenLedger {
  const [head = '', ...lines] = linesOf(text);
  const [, type = '', currency = 'USD'] = read(head, /^(\w+)(?: in ([A-Z]{3}))?$/);
  const accountType = type === 'unknown' ? null : (ACCOUNT_TYPES.find((known) => known === type) ?? fail(head));
  const digits = minorDigits(currency) ?? fail(head);
  const amount = (words: string) => parseMinor(words.replaceAll(',', ''), digits) ?? fail(words);
  const isBalance = (line: string) => / balance /.test(line);
  const stated = lines.flatMap((line) => readStated(line, amount));
  const listedDays = lines.flatMap(readListedDays);
  const observations = lines.filter(isBalance).map((line) => readObservation(line, amount, timeZone));
  const entries = lines
    .filter((line) => !isBalance(line) && !STATED.test(line) && !IN_FILE.test(line))
    .map((line, index) => readEntry(line, String(index), amount, observations));
  const days = [...observations, ...entries, ...stated].map(({ day }) => day);
  const until = Math.max(...days, ...listedDays.map(({ last }) => last));
  const known = stated.length + listedDays.length > 0 && { stated, listedDays };
  return { accountType, until, completeOn: until, entries, observations, ...known, currency, digits };
}

/** What was known of a ledger at the end of a day, which is the last day derived. */
export function asOf(written: WrittenLedger, date: string): WrittenLedger {
  const until = dayOf(date);
  const end = momentOf(date, '24:00');
  return {
    ...written,
    until,
    completeOn: Math.min(until, written.completeOn!),
    entries: written.entries
      .filter(({ listedFrom }) => listedFrom < end)
      .map((entry) => ((entry.listedUntil ?? end) < end ? entry : { ...entry, listedUntil: null })),
    observations: written.observations.filter(({ observedAt }) => observedAt < end),
  };
}

/** Lines without margin and without blank ones. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '');
}

/** The day number of `03-01`. */
export function dayOf(date: string): number {
  return dayNumber(`${YEAR}-${date}`);
}

function momentOf(date: string, time = EVENING): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (dayOf(date) * 24 + hours) * 3_600_000 + minutes * 60_000;
}

const ENTRY =
  /^(\d\d-\d\d)\s+([+-]?[\d.,]+\d)(?: \[(\w+)\])?(?:\s.*?)?(?:\s*listed (\d\d-\d\d)(?: (\d\d:\d\d))?)?(?:,? until (\d\d-\d\d))?$/;

function readEntry(
  line: string,
  key: string,
  amount: (words: string) => number,
  observations: readonly Observation[],
): Entry {
  const [, date = '', words = '', id, listedOn, listedAt, untilDate] = read(line, ENTRY);
  const day = dayOf(date);
  const sync = observations.find((observation) => observation.day >= day);
  const listedFrom = listedOn ? momentOf(listedOn, listedAt) : (sync?.observedAt ?? momentOf(date));
  const listedUntil = untilDate ? momentOf(untilDate) : null;
  return { key: id ?? key, day, amountMinor: amount(words), listedFrom, listedUntil };
}

const STATED = /^(\d\d-\d\d) states (-?[\d.,]*\d)( for sure)?$/;

function readStated(line: string, amount: (words: string) => number): StatedBalance[] {
  const [, date, words, prevails] = STATED.exec(line) ?? [];
  if (!date || !words) return [];
  return [{ day: dayOf(date), balanceMinor: amount(words), prevails: prevails !== undefined }];
}

const IN_FILE = /^(\d\d-\d\d)\.\.(\d\d-\d\d) (in a file|at the bank)$/;

function readListedDays(line: string): ListedDays[] {
  const [, first, last, where] = IN_FILE.exec(line) ?? [];
  return first && last ? [{ first: dayOf(first), last: dayOf(last), isByBank: where === 'at the bank' }] : [];
}

const BALANCE =
  /^(\d\d-\d\d)(?:\s+(\d\d:\d\d))?\s+balance\s+(-?[\d.,]*\d)(?:\s+of (\d\d-\d\d))?(?:,? holds ([-+.\d ]*\d))?(?:,? holding (.+))?$/;

function readObservation(line: string, amount: (words: string) => number, timeZone: string): Observation {
  const [, date = '', time, words = '', balanceDate, holds, positions] = read(line, BALANCE);
  const observedAt = momentOf(date, time);
  return {
    observedAt,
    day: dayNumber(dateInTimeZone(new Date(observedAt), timeZone)),
    balanceMinor: amount(words),
    balanceDay: balanceDate ? dayOf(balanceDate) : null,
    pendingMinor: holds?.split(/ +/).map(amount) ?? [],
    holdings: positions ? readPositions(positions, amount) : null,
  };
}

function readPositions(text: string, amount: (words: string) => number): Position[] {
  if (text === 'nothing') return [];
  return text.split(/, /).map((words) => {
    const [, quantity, key = '', value = ''] = read(words, /^([\d.]+) (\w+) (-?[\d.,]*\d)$/);
    return { key, quantity: Number(quantity), valueMinor: amount(value) };
  });
}

function read(line: string, pattern: RegExp): RegExpExecArray {
  return pattern.exec(line) ?? fail(line);
}

function fail(line: string): never {
  throw new Error(`cannot be read: ${line}`);
}
