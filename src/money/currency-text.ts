import { minorDigits } from './currency.js';
import { decimalText } from './minor-units.js';

// Building a formatter costs forty times as much as using one.
const formatters = new Map<string, Intl.NumberFormat>();

/**
 * An amount as fixed English currency text: `$1,234.56`, `-$12.00`, `CA$5.00`, `¥1,001`, `KWD 1.234`.
 * Symbol and grouping are the platform's locale data; the decimals are those of ISO 4217, where CLDR often has others.
 *
 * @param minor safe integer in the currency's minor unit
 * @param currency upper-case ISO 4217 code with a minor unit; anything else throws a RangeError
 */
export function currencyText(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not an ISO 4217 currency with a minor unit`);
  let formatter = formatters.get(currency);
  if (!formatter) {
    formatter = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formatters.set(currency, formatter);
  }
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
