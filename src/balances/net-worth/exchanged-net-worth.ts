import { minorDigits } from '../../platform/money/currency.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { validationFailed } from '../../platform/domain-error.js';
import type { ExchangeRate, KnownRates } from './exchange-rates.js';
import type { NetWorthPoint } from './net-worth.js';
import { countedIn, currenciesEver, type NetWorthAccounts } from './net-worth-accounts.js';
import type { NetWorthWarning } from './net-worth.response.js';

/** Sums of one currency. */
export interface Sums {
  currency: string;
  points: readonly NetWorthPoint[];
}

/** All currencies in one. */
export interface ExchangedNetWorth {
  points: readonly (NetWorthPoint & { ratesAsOf: CalendarDate | null })[];
  /** The currencies that are missing on some days, for want of a rate, with these days. */
  lacking: ReadonlyMap<string, readonly CalendarDate[]>;
  /** The days of which nothing could be exchanged: their sums are unknown. */
  unknown: ReadonlySet<CalendarDate>;
}

/** An exact sum in minor units: a fraction. */
type Fraction = readonly [dividend: bigint, divisor: bigint];

const SUMS = ['assets', 'liabilities', 'below', 'above'] as const;

interface Day {
  sums: Record<(typeof SUMS)[number], Fraction>;
  ratesAsOf: CalendarDate | null;
}

/** The same of each sum. */
function eachSum<Value>(of: (sum: (typeof SUMS)[number]) => Value): Record<(typeof SUMS)[number], Value> {
  return { assets: of('assets'), liabilities: of('liabilities'), below: of('below'), above: of('above') };
}

const SAME: ExchangeRate = { times: 1n, by: 1n, date: null };

/**
 * Adds the sums of all currencies up in one, exactly, and rounds at the end. What has no rate is left out.
 *
 * @param into has a minor unit
 * @param rates `null`: no other currency has a sum but 0
 * @throws DomainError `validation_failed` where the result is no safe integer
 */
export function exchange(all: readonly Sums[], into: string, rates: KnownRates | null): ExchangedNetWorth {
  const days = new Map<CalendarDate, Day>();
  const lacking = new Map<string, CalendarDate[]>();
  const known = new Set<CalendarDate>();
  for (const { currency, points } of all) {
    for (const point of points) {
      const { date } = point;
      const day: Day = days.get(date) ?? { sums: eachSum(() => [0n, 1n]), ratesAsOf: null };
      days.set(date, day);
      if (SUMS.every((sum) => point[sum] === 0)) continue;
      const rate = currency === into ? SAME : rates?.rateOf(currency, date);
      if (!rate) {
        const others = lacking.get(currency);
        if (others) others.push(date);
        else lacking.set(currency, [date]);
        continue;
      }
      known.add(date);
      const { sums } = day;
      day.sums = eachSum((sum) => plus(sums[sum], exchanged(point[sum], currency, into, rate)));
      if (rate.date !== null && (day.ratesAsOf === null || rate.date < day.ratesAsOf)) day.ratesAsOf = rate.date;
    }
  }
  const inMinor = (sum: Fraction) => {
    const minor = rounded(sum);
    if (!Number.isSafeInteger(minor))
      throw validationFailed([`in must not be ${into}, in which the sums are too large`]);
    return minor;
  };
  const points = [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { sums, ratesAsOf }]) => ({ date, ...eachSum((sum) => inMinor(sums[sum])), ratesAsOf }));
  const unknown = new Set([...lacking.values()].flat().filter((date) => !known.has(date)));
  return { points, lacking, unknown };
}

function exchanged(minor: number, from: string, into: string, { times, by }: ExchangeRate): Fraction {
  const unit = (currency: string) => 10n ** BigInt(minorDigits(currency)!);
  return [BigInt(minor) * times * unit(into), by * unit(from)];
}

function plus([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return b === d ? [a + c, b] : [a * d + c * b, b * d];
}

/** Half away from zero. */
function rounded([dividend, divisor]: Fraction): number {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const minor = Number((2n * magnitude + divisor) / (2n * divisor));
  return dividend < 0n && minor !== 0 ? -minor : minor;
}

/** What the sums lack for want of rates, by account, and whether the rates are the newest. */
export function rateWarnings(
  of: NetWorthAccounts,
  lacking: ExchangedNetWorth['lacking'],
  rates: KnownRates | null,
): NetWorthWarning[] {
  const left = currenciesEver(of).flatMap((currency) =>
    countedIn(of, currency).flatMap((account): NetWorthWarning[] => {
      const { id, name, firstDate, lastDate, isCarriedForward, leftOutFrom } = account;
      const days = (lacking.get(currency) ?? []).filter(
        (day) =>
          day >= firstDate && (isCarriedForward || day <= lastDate) && (leftOutFrom === null || day < leftOutFrom),
      );
      if (days.length === 0) return [];
      const sums = `${days.length} ${days.length === 1 ? 'sum' : 'sums'} from ${days[0]} to ${days.at(-1)}`;
      const message = `${name} is in ${currency} and not part of ${sums}: no exchange rate is known.`;
      return [{ kind: 'no_rate', account_id: id, account_name: name, message }];
    }),
  );
  const message = rates && problemOf(rates);
  return message ? [...left, { kind: 'rates_outdated', account_id: null, account_name: null, message }] : left;
}

/** That rates are not the newest, and why; `null`: they are. */
export function problemOf({ asOf, problem }: KnownRates): string | null {
  if (problem === null) return null;
  return `The exchange rates ${problem}; ${asOf === null ? 'none are known yet' : `those of ${asOf} are used`}.`;
}
