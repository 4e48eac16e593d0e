import { addDays, type CalendarDate, isCalendarDate, longDate } from '../../../kit.js';
import type { DateOrder, FileQuestion } from './statement-file.js';

const OLDEST = '1970-01-01';
const YEARS_AHEAD = 2;
/** A year of two digits lies at most so far ahead, and otherwise behind. */
const TWO_DIGITS_AHEAD = 20;
/** Day 1 is 1900-01-01, and Excel has a 29 February 1900. */
const EXCEL_DAY_0 = '1899-12-30';
const MAX_CHARS = 40;

const YEAR_FIRST = /^(\d{4})[-/. ]\s?(\d{1,2})[-/. ]\s?(\d{1,2})\.?(?=$|[T\s,])/;
/** A time of four or six digits may follow. */
const EIGHT_DIGITS = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:\d{4}|\d{6})?$/;
const EIGHT_DIGITS_YEAR_LAST = /^(\d\d)(\d\d)((?:19|20)\d\d)$/;
const EXCEL_DAY = /^(\d{5})(?:[.,]\d+)?$/;
/** Blanks pad in QIF: `6/ 4'18`. */
const NUMBERS = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?([-/.'’])\s?(\d{4}|\d{1,2})\.?(?=$|[T\s,])/;
const NAMED_DAY_FIRST =
  /^(\d{1,2})(?:st|nd|rd|th)?[-/.\s]+(?:de\s)?(\p{L}{3,})\.?[-/.,\s]+(?:de\s)?'?(\d{4}|\d\d)(?=$|[T\s,])/u;
const NAMED_MONTH_FIRST = /^(\p{L}{3,})\.?[-/.\s]+(\d{1,2})(?:st|nd|rd|th)?[-/.,\s]+'?(\d{4}|\d\d)(?=$|[T\s,])/u;
const WEEKDAY = /^\p{L}{2,9}[.,]+\s*(?=\d)/u;

/** The beginnings of months' names in English, German, French, Dutch, Spanish, Italian, Portuguese and Swedish; "juin" before "juillet". */
const MONTHS = [
  ['jan', 'jän', 'ene', 'gen'],
  ['feb', 'fév', 'fev'],
  ['mar', 'mär', 'maa', 'mrt'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'mei', 'mag', 'maj'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aoû', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'out', 'ott'],
  ['nov'],
  ['dec', 'dez', 'déc', 'dic'],
];

/** A date as it is written: a day, or three numbers whose order only the file decides. */
export type WrittenDate = { day: CalendarDate } | { first: number; second: number; last: string; sign: string };

/** `null`: the text begins with no date. What follows a date, such as a time, says nothing of the day. */
export function writtenDate(text: string, today: CalendarDate): WrittenDate | null {
  if (!/\d/.test(text)) return null;
  const trimmed = text
    .trim()
    .slice(0, MAX_CHARS)
    .replace(WEEKDAY, '')
    .replace(/[年月](?=\d)/g, '-')
    .replace('日', ' ')
    .trim();
  const yearFirst = YEAR_FIRST.exec(trimmed) ?? EIGHT_DIGITS.exec(trimmed);
  const day = yearFirst && dayOfParts(yearFirst[1]!, yearFirst[2]!, yearFirst[3]!);
  if (day) return { day };
  const yearLast = EIGHT_DIGITS_YEAR_LAST.exec(trimmed);
  if (yearLast) return { first: Number(yearLast[1]), second: Number(yearLast[2]), last: yearLast[3]!, sign: '' };
  const numbers = NUMBERS.exec(trimmed);
  if (numbers) {
    const [, first, sign, second, beforeYear, year] = numbers;
    const last = beforeYear === sign || year!.length === 4 ? year! : String(2000 + Number(year));
    return { first: Number(first), second: Number(second), last, sign: sign! };
  }
  const excel = EXCEL_DAY.exec(trimmed);
  if (excel) return { day: addDays(EXCEL_DAY_0, Number(excel[1])) };
  const dayFirst = NAMED_DAY_FIRST.exec(trimmed);
  if (dayFirst) return named(dayFirst[1]!, dayFirst[2]!, dayFirst[3]!, today);
  const monthFirst = NAMED_MONTH_FIRST.exec(trimmed);
  return monthFirst ? named(monthFirst[2]!, monthFirst[1]!, monthFirst[3]!, today) : null;
}

function named(day: string, name: string, year: string, today: CalendarDate): WrittenDate | null {
  const month = MONTHS.findIndex((names) => names.some((start) => name.toLowerCase().startsWith(start)));
  const date = dayOfParts(String(fullYear(year, today)), String(month + 1), day);
  return month === -1 || date === null ? null : { day: date };
}

function dayOfParts(year: string, month: string, day: string): CalendarDate | null {
  const text = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(text) ? text : null;
}

/** The day of a date in the file's order; `null`: the order does not fit. */
export function dayOf(date: WrittenDate, order: DateOrder, today: CalendarDate): CalendarDate | null {
  if ('day' in date) return date.day;
  const { first, second, last } = date;
  const parts = {
    dmy: [fullYear(last, today), second, first],
    mdy: [fullYear(last, today), first, second],
    ymd: [fullYear(String(first).padStart(2, '0'), today), second, Number(last)],
  } as const;
  const [year, month, day] = parts[order];
  return dayOfParts(String(year), String(month), String(day));
}

function fullYear(digits: string, today: CalendarDate): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = Number(today.slice(0, 4));
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  if (year > thisYear + TWO_DIGITS_AHEAD) return year - 100;
  return year <= thisYear + TWO_DIGITS_AHEAD - 100 ? year + 100 : year;
}

/**
 * The one order of day and month of a whole file, given its dates in the file's order. The order that fits most dates
 * wins, since one row may be wrong; then the one in which the file is sorted. `null`: nothing decides.
 */
export function dateOrderOf(dates: readonly WrittenDate[], today: CalendarDate): DateOrder | null {
  const open = dates.flatMap((date) => ('day' in date ? [] : date));
  if (open.length === 0) return 'dmy';
  const fits = (order: DateOrder) => open.filter((date) => dayOf(date, order, today) !== null).length;
  const [dmy, mdy, ymd] = [fits('dmy'), fits('mdy'), fits('ymd')];
  if (ymd > Math.max(dmy, mdy) || (ymd === open.length && isYearFirst(open))) return 'ymd';
  if (dmy !== mdy) return dmy > mdy ? 'dmy' : 'mdy';
  // Who writes points writes the day first.
  if (open.some(({ sign }) => sign === '.')) return 'dmy';
  const days = (order: DateOrder) => dates.map((date) => dayOf(date, order, today)).filter((day) => day !== null);
  if (String(days('dmy')) === String(days('mdy'))) return 'dmy';
  if (dmy !== open.length) return null;
  const sorted = (['dmy', 'mdy'] as const).filter((order) => isSorted(days(order)));
  return sorted.length === 1 ? sorted[0]! : null;
}

const ORDERS = { dmy: 'day', mdy: 'month', ymd: 'year' } as const;

/** Asks for the order of a file's dates by one of them that is a day in several. */
export function questionOfOrder(texts: readonly string[], today: CalendarDate): FileQuestion {
  for (const text of texts) {
    const date = writtenDate(text, today);
    const readings = Object.entries(ORDERS).flatMap(([order, first]) => {
      const day = date && dayOf(date, order as DateOrder, today);
      return day ? { day, text: `${longDate(day)} with the ${first} first` } : [];
    });
    if (new Set(readings.map(({ day }) => day)).size < 2) continue;
    const message = `"${text}" is ${readings.map((reading) => reading.text).join(', or ')}. Which is it?`;
    return { choice: 'date_order', message };
  }
  return { choice: 'date_order', message: 'Are the dates of the file written with the day first or the month first?' };
}

/** Of two-digit numbers: a file is of few years and of many days. */
function isYearFirst(dates: readonly { first: number; last: string }[]): boolean {
  const firsts = new Set(dates.map(({ first }) => first)).size;
  const lasts = new Set(dates.map(({ last }) => last)).size;
  return lasts > 3 && lasts > 2 * firsts;
}

/** Whether days rise or fall throughout. Two days always do, so they say nothing. */
function isSorted(days: readonly CalendarDate[]): boolean {
  let rises = 0;
  let falls = 0;
  days.forEach((day, place) => {
    const before = days[place - 1] ?? day;
    if (day > before) rises++;
    if (day < before) falls++;
  });
  return rises + falls >= 3 && (rises === 0 || falls === 0);
}

/** Why no account has a row of this day; `null`: it may have. */
export function dayProblem(day: CalendarDate, today: CalendarDate): string | null {
  if (day < OLDEST) return `The date ${day} is before 1970.`;
  const latest = `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;
  return day > latest ? `The date ${day} is more than two years ahead.` : null;
}
