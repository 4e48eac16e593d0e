import { currencyCode, minorDigits } from '../money/currency.js';
import { parseMinor } from '../money/minor-units.js';
import { oneLine } from './text.js';

// What every provider's mapper does with a text of the wire.

const MAX_LINE_CHARS = 200;

/** One visible line; `null`: there is none. */
export function lineOf(text: string | null | undefined, maxChars = MAX_LINE_CHARS): string | null {
  return oneLine(text ?? '', maxChars) || null;
}

export function accountNameOf(name: string | null | undefined): string {
  return lineOf(name) ?? 'Unnamed account';
}

/**
 * An ISO 4217 code, or the provider's text in its place; `null`: not reported. A custom currency may be a URL, which is
 * shown and never requested.
 */
export function reportedCurrency(currency: string | null | undefined): string | null {
  return currencyCode(currency) ?? lineOf(currency);
}

/**
 * @param currency ISO 4217 code
 * @returns `null`: not reported, or no decimal number
 */
export function minorOf(text: string | null | undefined, currency: string): number | null {
  return parseMinor(text?.trim() ?? '', minorDigits(currency)!);
}
