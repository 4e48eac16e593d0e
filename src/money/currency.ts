import { data } from 'currency-codes';

/** Digits after the decimal point by upper-case code: those of ISO 4217, and ours. */
const DIGITS = new Map(data.map(({ code, digits }) => [code, digits]));

// In the standard since 2025 and not yet in the table: the Caribbean guilder.
DIGITS.set('XCG', 2);

// ISO 4217 gives these codes no minor unit (bond units, test codes): an amount in them cannot be counted in integers.
for (const code of 'XBA XBB XBC XBD XDR XSU XTS XUA XXX'.split(' ')) DIGITS.delete(code);

// Metals have none either, but everybody counts them in troy ounces with four decimals.
for (const code of ['XAU', 'XAG', 'XPT', 'XPD']) DIGITS.set(code, 4);

// Coins are no part of ISO 4217. Those that divide further than eight decimals (ETH has 18) are rounded, so that every
// amount is a safe integer.
for (const code of ['BTC', 'XBT', 'ETH', 'LTC', 'BCH', 'SOL']) DIGITS.set(code, 8);
for (const code of ['XRP', 'ADA']) DIGITS.set(code, 6);

/**
 * How many decimals one unit of a currency has: JPY 0, USD 2, KWD 3, CLF 4, BTC 8.
 * `undefined` for anything else than an upper-case ISO 4217 code with a minor unit, a metal or a coin of the list above:
 * such money is never guessed at.
 */
export function minorDigits(currency: string): number | undefined {
  return DIGITS.get(currency);
}

/** The code in a text from outside ("usd", " EUR "), or `null` when it names none. */
export function currencyCode(text: string | null | undefined): string | null {
  if (typeof text === 'string' && DIGITS.has(text)) return text;
  const code = text?.trim().toUpperCase() ?? '';
  return DIGITS.has(code) ? code : null;
}
