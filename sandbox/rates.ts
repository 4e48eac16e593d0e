import type { IncomingMessage, ServerResponse } from 'node:http';
import { addDays, type CalendarDate, dayNumber } from '../src/platform/time/calendar-date.js';

/** Plays the history of reference rates of the European Central Bank, in its form. */
export const RATES_PATH = '/sandbox/rates/eurofxref-hist.csv';

const FIRST_DAY = '2016-01-04';

/** In the order of the bank's file: about how many units are one euro. */
const PER_EURO: Readonly<Record<string, number>> = {
  ...{ USD: 1.12, JPY: 141, BGN: 1.9558, CZK: 25.3, DKK: 7.4553, GBP: 0.8621, HUF: 352, PLN: 4.38, RON: 4.8 },
  ...{ SEK: 10.6, CHF: 1.03, ISK: 142, NOK: 10.4, HRK: 7.5345, RUB: 76, AUD: 1.6, BRL: 5.4, CAD: 1.47, CNY: 7.6 },
  ...{ HKD: 8.8, INR: 84, MXN: 21, NZD: 1.72, SGD: 1.52, THB: 37, ZAR: 17.4 },
};
/** The last day of those that are published no more. */
const UNTIL: Readonly<Record<string, CalendarDate>> = { BGN: '2025-12-31', HRK: '2022-12-30', RUB: '2022-03-01' };

/** @param today whose rates are the newest */
export function ratesCsv(today: CalendarDate): string {
  const lines: string[] = [];
  for (let day = FIRST_DAY; day <= today; day = addDays(day, 1)) {
    if (isWorkingDay(day)) lines.push([day, ...Object.keys(PER_EURO).map((code) => rateOn(day, code)), ''].join(','));
  }
  return [['Date', ...Object.keys(PER_EURO), ''].join(','), ...lines.reverse(), ''].join('\n');
}

/** Day 0 was a Thursday. */
const isWorkingDay = (day: CalendarDate) => (dayNumber(day) + 3) % 7 < 5;

/** Five significant digits that move by up to 8% around the usual rate, slowly and for each currency in its own way. */
function rateOn(day: CalendarDate, code: string): string {
  if (day > (UNTIL[code] ?? day)) return 'N/A';
  const turn = code.charCodeAt(0) + code.charCodeAt(1) * 3;
  const move = Math.sin(dayNumber(day) / 190 + turn) * 0.07 + Math.sin(dayNumber(day) / 11 + turn) * 0.01;
  const isPegged = code === 'BGN' || code === 'DKK';
  return (PER_EURO[code]! * (1 + (isPegged ? 0 : move))).toPrecision(5);
}

export function serveRates(today: () => CalendarDate) {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'text/csv' }).end(ratesCsv(today()));
  };
}
