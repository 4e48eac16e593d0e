import { minorDigits } from './currency.js';
import { decimalText } from './minor-units.js';

interface CurrencyFormat {
  digits: number;
  /** What stands between the sign and the figures: `$`, `CA$`, `KWD `. */
  symbol: string;
  /** Half of a balance record's amounts are nothing. */
  zero: string;
}

const formats = new Map<string, CurrencyFormat>();

/**
 * An amount as fixed English currency text: `$1,234.56`, `-$12.00`, `CA$5.00`, `¥1,001`, `KWD 1.234`.
 * The symbol is of the platform's locale data; the decimals are those of ISO 4217, where CLDR often has others. A page of
 * records has more than a thousand of these texts: `Intl` is asked once per currency, since it takes three times as long.
 *
 * @param minor safe integer in the currency's minor unit
 * @param currency upper-case ISO 4217 code with a minor unit; anything else throws a RangeError
 */
export function currencyText(minor: number, currency: string): string {
  const format = formats.get(currency) ?? remember(currency);
  return minor === 0 ? format.zero : textOf(minor, format);
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

function textOf(minor: number, { digits, symbol }: CurrencyFormat): string {
  const figures = decimalText(Math.abs(minor), digits);
  let point = digits === 0 ? figures.length : figures.length - digits - 1;
  let text = figures.slice(Math.max(point - 3, 0));
  while ((point -= 3) > 0) text = `${figures.slice(Math.max(point - 3, 0), point)},${text}`;
  return `${minor < 0 ? '-' : ''}${symbol}${text}`;
}

/**
 * An amount as it was stored from a provider, whose currency may be none we know: then the bare number of minor units
 * after the provider's own word, since nobody knows where its decimal point is.
 */
export function amountText(minor: number, currency: string): string {
  return minorDigits(currency) === undefined ? `${currency} ${minor}` : currencyText(minor, currency);
}
