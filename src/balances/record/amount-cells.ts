import { csvText } from '../../http/export/csv.js';
import { currencyText } from '../../money/currency-text.js';

/** Half of a record's amounts are zero. */
const zeros = new Map<string, string>();

/** The two cells of an amount, its text and its integer, each with the comma that follows. `null`: both are empty. */
export function amountCells(minor: number | null, currency: string): string {
  if (minor === null) return ',,';
  if (minor !== 0) return cellsOf(minor, currency);
  let text = zeros.get(currency);
  if (text === undefined) zeros.set(currency, (text = cellsOf(0, currency)));
  return text;
}

function cellsOf(minor: number, currency: string): string {
  return `${csvText(currencyText(minor, currency))},${minor},`;
}
