import { csvLine } from '../api/csv.js';
import { currencyText } from '../money/currency-text.js';

const MAX_REMEMBERED = 1_000;

// A day begins with what the day before ended with, and most flows are nothing: most amounts have just been written.
const cells = new Map<string, Map<number, string>>();

/** The two cells of an amount, its text and its integer, each with the comma that follows it. `null`: both are empty. */
export function amountCells(minor: number | null, currency: string): string {
  if (minor === null) return ',,';
  let ofCurrency = cells.get(currency);
  if (!ofCurrency) cells.set(currency, (ofCurrency = new Map<number, string>()));
  let text = ofCurrency.get(minor);
  if (text === undefined) {
    if (ofCurrency.size >= MAX_REMEMBERED) ofCurrency.clear();
    text = csvLine([currencyText(minor, currency), minor, null]).trimEnd();
    ofCurrency.set(minor, text);
  }
  return text;
}
