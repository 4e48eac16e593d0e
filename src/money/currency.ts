import { data } from 'currency-codes';

/** Digits after the decimal point in ISO 4217, by upper-case code. */
const DIGITS = new Map(data.map(({ code, digits }) => [code, digits]));

// In the standard since 2025 and not yet in the table: the Caribbean guilder.
DIGITS.set('XCG', 2);

// ISO 4217 gives these codes no minor unit (metals, bond units, test codes): an amount in them cannot be counted in integers.
for (const code of 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')) DIGITS.delete(code);

/**
 * How many decimals one unit of a currency has: JPY 0, USD 2, KWD 3, CLF 4.
 * `undefined` for anything that is not an upper-case ISO 4217 code with a minor unit: such money is never guessed at.
 */
export function minorDigits(currency: string): number | undefined {
  return DIGITS.get(currency);
}

/** The ISO 4217 code in a text from outside ("usd", " EUR "), or `null` when it names none. */
export function currencyCode(text: string | null | undefined): string | null {
  if (typeof text === 'string' && DIGITS.has(text)) return text;
  const code = text?.trim().toUpperCase() ?? '';
  return DIGITS.has(code) ? code : null;
}
