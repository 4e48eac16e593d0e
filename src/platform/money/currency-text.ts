import { minorDigits } from './currency.js';
import { decimalText } from './minor-units.js';

interface CurrencyFormat {
  digits: number;
  /** Between sign and digits: `$`, `CA$`, `KWD `. */
  symbol: string;
  /** Most amounts of a balance are 0. */
  zero: string;
}

const formats = new Map<string, CurrencyFormat>();

/**
 * An amount as fixed English currency text: `$1,234.56`, `-$12.00`, `CA$5.00`, `¥1,001`, `KWD 1.234`.
 * The symbol is from the platform's locale data, the decimals are from ISO 4217, because CLDR often has others. `Intl`
 * formats once per currency: it takes six times as long, which makes a page of 25 balances 1.25 times as expensive.
 *
 * @param minor safe integer in the currency's minor unit
 * @param currency upper-case ISO 4217 code with a minor unit; anything else throws a RangeError
 */
export function currencyText(minor: number, currency: string): string {
  return textIn(formats.get(currency) ?? remember(currency), minor);
}

function textIn({ digits, symbol, zero }: CurrencyFormat, minor: number): string {
  if (minor === 0) return zero;
  const figures = decimalText(Math.abs(minor), digits);
  let point = digits === 0 ? figures.length : figures.length - digits - 1;
  let text = figures.slice(Math.max(point - 3, 0));
  while ((point -= 3) > 0) text = `${figures.slice(Math.max(point - 3, 0), point)},${text}`;
  return `${minor < 0 ? '-' : ''}${symbol}${text}`;
}

function remember(currency: string): CurrencyFormat {
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not a currency with a minor unit`);
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
  const first = parts.findIndex(({ type }) => type === 'integer');
  const symbol = parts
    .slice(0, first)
    .map(({ value }) => value.replace('\u00a0', ' '))
    .join('');
  const format = { digits, symbol, zero: `${symbol}${decimalText(0, digits)}` };
  formats.set(currency, format);
  return format;
}

/**
 * The text of an amount whose currency may be unknown. Then it is the provider's currency and the minor units, because
 * the place of the decimal point is unknown.
 */
export function amountText(minor: number, currency: string): string {
  const format = formats.get(currency);
  if (format) return textIn(format, minor);
  return minorDigits(currency) === undefined ? `${currency} ${minor}` : currencyText(minor, currency);
}

/** What amounts in a currency are counted in. URLs stand for points and miles; the last segment names them. */
export function currencyUnit(currency: string): string {
  return currency.replace(/^\w+:\/\/.*\/(?=[^/]+$)/, '');
}
