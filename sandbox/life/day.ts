import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';

/** A day as people plan by it. */
export interface DiaryDay {
  /** Days since 1970-01-01. */
  number: number;
  year: number;
  /** 1 to 12. */
  month: number;
  dayOfMonth: number;
  isLastOfMonth: boolean;
  /** Days of the month whose bookings happen on this day: none on a weekend, three on a Monday. */
  due: ReadonlySet<number>;
}

const SATURDAY = 6;
const SUNDAY = 0;
const MONDAY = 1;

export function dayOf(number: number): DiaryDay {
  const date = dateOfDayNumber(number);
  return {
    number,
    year: Number(date.slice(0, 4)),
    month: Number(date.slice(5, 7)),
    dayOfMonth: dayOfMonth(number),
    isLastOfMonth: dayOfMonth(number + 1) === 1,
    due: new Set(dueOn(number)),
  };
}

/** The given day, or the Monday after it when banks are closed. */
export function bankingDay(number: number): number {
  if (weekday(number) === SATURDAY) return number + 2;
  return weekday(number) === SUNDAY ? number + 1 : number;
}

export function isBankingDay(number: number): boolean {
  return bankingDay(number) === number;
}

function dueOn(number: number): number[] {
  if (!isBankingDay(number)) return [];
  const days = weekday(number) === MONDAY ? [number - 2, number - 1, number] : [number];
  return days.map(dayOfMonth);
}

function dayOfMonth(number: number): number {
  return Number(dateOfDayNumber(number).slice(8));
}

/** 1970-01-01 was a Thursday. */
function weekday(number: number): number {
  return (number + 4) % 7;
}
