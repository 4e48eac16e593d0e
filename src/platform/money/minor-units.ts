/**
 * The largest amount that is read, 1,000,000,000,000.00 in USD: so much below the safe integers that sums of amounts are
 * exact, too. What one account's may add up to, the balance engine checks.
 */
export const MAX_AMOUNT_MINOR = 10 ** 14;
/** The largest amount has 15 digits, and no real amount has 40 decimals. */
const MAX_DECIMAL_CHARS = 64;
const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Converts decimal text ("-12.34", "1850", "1e-7") into minor units of a currency with `digits` decimals, without
 * floats. More decimals are rounded half away from zero, which is the only rounding of money in the product.
 *
 * @returns a safe integer, or `null` when the text is no decimal number or the result is beyond {@link MAX_AMOUNT_MINOR}
 */
export function parseMinor(text: string, digits: number): number | null {
  const magnitude = magnitudeOf(text, digits);
  if (magnitude === null || magnitude > MAX_AMOUNT_MINOR) return null;
  return text.startsWith('-') && magnitude !== 0 ? -magnitude : magnitude;
}

/** Whether a text is a decimal number that is too large for {@link parseMinor}. */
export function isTooLarge(text: string, digits: number): boolean {
  return (magnitudeOf(text, digits) ?? 0) > MAX_AMOUNT_MINOR;
}

/** Not exact, and up to infinite, beyond {@link MAX_AMOUNT_MINOR}; `null`: no decimal number. */
function magnitudeOf(text: string, digits: number): number | null {
  if (text.length > MAX_DECIMAL_CHARS) return null;
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;

  const pointAt = whole.length + Number(exponent) + digits;
  const figures = whole + fraction;
  const kept = pointAt <= 0 ? '0' : figures.slice(0, pointAt).padEnd(pointAt, '0');
  const roundUp = pointAt >= 0 && (figures[pointAt] ?? '0') >= '5';
  return Number(kept) + (roundUp ? 1 : 0);
}

/** The plain decimal number in a provider's text; `null`: it is none. */
export function decimalOf(text: string | null | undefined): string | null {
  const decimal = text?.trim() ?? '';
  return decimal.length <= MAX_DECIMAL_CHARS && /^[+-]?\d+(\.\d+)?$/.test(decimal) ? decimal : null;
}

/** Decimal text of an amount: (-1234, 2) gives "-12.34", (5, 3) gives "0.005", (7, 0) gives "7". */
export function decimalText(minor: number, digits: number): string {
  const figures = String(Math.abs(minor)).padStart(digits + 1, '0');
  const text = digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
  return minor < 0 ? `-${text}` : text;
}

/**
 * The product of two decimal texts in minor units, such as quantity times price, rounded as in {@link parseMinor}.
 *
 * @returns `null`: one is no plain decimal number, or the result is out of range
 */
export function productMinor(a: string, b: string, digits: number): number | null {
  const left = /^(-?)(\d+)(?:\.(\d+))?$/.exec(a);
  const right = /^(-?)(\d+)(?:\.(\d+))?$/.exec(b);
  if (!left || !right || a.length + b.length > MAX_DECIMAL_CHARS) return null;
  const [, leftSign, leftWhole = '', leftFraction = ''] = left;
  const [, rightSign, rightWhole = '', rightFraction = ''] = right;
  const product = BigInt(leftWhole + leftFraction) * BigInt(rightWhole + rightFraction);
  const exponent = -(leftFraction.length + rightFraction.length);
  return parseMinor(`${leftSign === rightSign ? '' : '-'}${product}e${exponent}`, digits);
}
