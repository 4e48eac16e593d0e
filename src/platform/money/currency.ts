import { data } from 'currency-codes';

/** Digits after the decimal point by upper-case code, from ISO 4217 with our additions. */
const DIGITS = new Map(data.map(({ code, digits }) => [code, digits]));

// The Caribbean guilder is in the standard since 2025, and not yet in the table.
DIGITS.set('XCG', 2);

// Currencies that the euro has replaced: histories still have them.
for (const code of 'SIT CYP MTL SKK EEK LVL LTL HRK'.split(' ')) DIGITS.set(code, 2);

// Bond units and test codes have no minor unit, so their amounts are no integers.
for (const code of 'XBA XBB XBC XBD XDR XSU XTS XUA XXX'.split(' ')) DIGITS.delete(code);

// Metals have no minor unit either, but are counted in troy ounces with four decimals.
for (const code of ['XAU', 'XAG', 'XPT', 'XPD']) DIGITS.set(code, 4);

// Cryptocurrencies are not in ISO 4217. Eight decimals at most (ETH has 18), so that every amount is a safe integer.
for (const code of ['BTC', 'XBT', 'ETH', 'LTC', 'BCH', 'SOL']) DIGITS.set(code, 8);
for (const code of ['XRP', 'ADA']) DIGITS.set(code, 6);

/**
 * How many decimals one unit of a currency has: JPY 0, USD 2, KWD 3, CLF 4, BTC 8.
 * `undefined`: the code is not in upper case, or has no minor unit and is no metal or cryptocurrency of the list above.
 */
export function minorDigits(currency: string): number | undefined {
  return DIGITS.get(currency);
}

/** Hundredths in which stock exchanges quote prices, by name. London's pence differ from pounds in one small letter. */
const HUNDREDTHS = new Map([
  ['GBp', 'GBP'],
  ['GBX', 'GBP'],
  ['ZAC', 'ZAR'],
  ['ILA', 'ILS'],
]);

/** The currency code in a provider's text ("usd", " EUR "); `null`: it is none, or a hundredth of one. */
export function currencyCode(text: string | null | undefined): string | null {
  const name = text?.trim() ?? '';
  const code = name.toUpperCase();
  return DIGITS.has(code) && !HUNDREDTHS.has(name) ? code : null;
}

/** What prices and values are quoted in. */
export interface QuotationUnit {
  /** ISO 4217 code. */
  currency: string;
  /** Of ten: 0 for whole units of the currency, -2 for hundredths. */
  exponent: 0 | -2;
}

/** The unit that a provider's text names ("GBX", "ZAc", "usd"); `null`: it names none. */
export function quotationUnit(text: string | null | undefined): QuotationUnit | null {
  const name = text?.trim() ?? '';
  const ofHundredth = HUNDREDTHS.get(name) ?? HUNDREDTHS.get(name.toUpperCase());
  if (ofHundredth !== undefined) return { currency: ofHundredth, exponent: -2 };
  const currency = currencyCode(name);
  return currency === null ? null : { currency, exponent: 0 };
}
