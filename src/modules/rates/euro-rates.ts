import { addDays, type CalendarDate, type ExchangeRate } from '../../kit.js';
import type { DayOfRates } from './read-rates.js';

/** Currencies that the euro has replaced: since when, and the rate that was fixed for ever. */
const REPLACED: Readonly<Record<string, readonly [since: CalendarDate, rate: string]>> = {
  SIT: ['2007-01-01', '239.640'],
  CYP: ['2008-01-01', '0.585274'],
  MTL: ['2008-01-01', '0.429300'],
  SKK: ['2009-01-01', '30.1260'],
  EEK: ['2011-01-01', '15.6466'],
  LVL: ['2014-01-01', '0.702804'],
  LTL: ['2015-01-01', '3.45280'],
  HRK: ['2023-01-01', '7.53450'],
  BGN: ['2026-01-01', '1.95583'],
};

/** On a day without rates those of the last day before it count, for so long: no holidays are longer. */
export const MAX_CARRIED_DAYS = 7;

/**
 * The rate of a currency in another one on a day: that of the newest day of rates that has both, which may be some days
 * before.
 *
 * @param days oldest first, from {@link MAX_CARRIED_DAYS} before the day on
 * @returns `null`: there is none
 */
export function euroRate(
  days: readonly DayOfRates[],
  from: string,
  into: string,
  day: CalendarDate,
): ExchangeRate | null {
  const fixed = cross(fixedRate(from, day), fixedRate(into, day), null);
  if (fixed) return fixed;
  const earliest = addDays(day, -MAX_CARRIED_DAYS);
  for (let index = lastUntil(days, day); index >= 0 && days[index]!.date >= earliest; index--) {
    const { date, rates } = days[index]!;
    const rateOf = (currency: string) => fixedRate(currency, day) ?? rates[currency];
    const rate = cross(rateOf(from), rateOf(into), date);
    if (rate) return rate;
  }
  return null;
}

function fixedRate(currency: string, day: CalendarDate): string | undefined {
  if (currency === 'EUR') return '1';
  const [since, rate] = REPLACED[currency] ?? [];
  return since !== undefined && since <= day ? rate : undefined;
}

/** @param from units for one euro, as is `into` */
function cross(from: string | undefined, into: string | undefined, date: CalendarDate | null): ExchangeRate | null {
  if (from === undefined || into === undefined) return null;
  const decimals = Math.max(...[from, into].map((rate) => rate.split('.')[1]?.length ?? 0));
  const scaled = (rate: string) => {
    const [whole = '', fraction = ''] = rate.split('.');
    return BigInt(whole + fraction.padEnd(decimals, '0'));
  };
  return { times: scaled(into), by: scaled(from), date };
}

/** The index of the last one of these days that is not after a day, by bisection; -1: all are. */
function lastUntil(days: readonly DayOfRates[], day: CalendarDate): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]!.date > day) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
