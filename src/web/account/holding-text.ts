import { minorDigits } from '../../money/currency.js';
import { numbersIn } from '../components/number-text.js';

const MAX_PRICE_DIGITS = 4;
const MAX_QUANTITY_DIGITS = 8;

/** A quantity for display: grouped, without trailing zeros. @param quantity decimal text */
export function quantityText(quantity: string): string {
  const text = Number(quantity).toLocaleString('en-US', { maximumFractionDigits: MAX_QUANTITY_DIGITS });
  return text.replace('-', '−');
}

/** A unit price, which may have more digits than the currency. @param price decimal text */
export function priceText(price: string, currency: string): string {
  const digits = minorDigits(currency) ?? 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'symbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, MAX_PRICE_DIGITS),
  }).format(Number(price));
}

/**
 * Figures of one column in the person's format, padded with figure and punctuation spaces so that their decimals align.
 */
export function alignDecimals(figures: readonly string[]): string[] {
  const tails = figures.map((figure) => /\.\d+$/.exec(figure)?.[0].length ?? 0);
  const longest = Math.max(0, ...tails);
  return figures.map((figure, i) => numbersIn(figure) + blank(tails[i] ?? 0, longest));
}

function blank(from: number, to: number): string {
  return from === 0 && to > 0 ? `\u2008${'\u2007'.repeat(to - 1)}` : '\u2007'.repeat(to - from);
}
