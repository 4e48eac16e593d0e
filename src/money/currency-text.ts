import { minorDigits } from './currency.js';
import { decimalText } from './minor-units.js';

interface CurrencyFormat {
  digits: number;
  formatter: Intl.NumberFormat;
  /** Half of a balance record's amounts are nothing. */
  zero: string;
}

// Building a formatter costs forty times as much as using one.
const formats = new Map<string, CurrencyFormat>();

/**
 * An amount as fixed English currency text: `$1,234.56`, `-$12.00`, `CA$5.00`, `¥1,001`, `KWD 1.234`.
 * Symbol and grouping are the platform's locale data; the decimals are those of ISO 4217, where CLDR often has others.
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
  if (digits === undefined) throw new RangeError(`${currency} is not an ISO 4217 currency with a minor unit`);
  const formatter = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const format = { digits, formatter, zero: textOf(0, { digits, formatter }) };
  formats.set(currency, format);
  return format;
}

function textOf(minor: number, { digits, formatter }: Pick<CurrencyFormat, 'digits' | 'formatter'>): string {
  // Given as text, since a double cannot hold every safe integer divided by a power of ten.
  return formatter.format(decimalText(minor, digits) as Intl.StringNumericLiteral).replace('\u00a0', ' ');
}

/**
 * An amount as it was stored from a provider, whose currency may be none we know: then the bare number of minor units
 * after the provider's own word, since nobody knows where its decimal point is.
 */
export function amountText(minor: number, currency: string): string {
  return minorDigits(currency) === undefined ? `${currency} ${minor}` : currencyText(minor, currency);
}
