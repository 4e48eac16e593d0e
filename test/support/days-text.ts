import { deriveHistory } from '../../src/balances/engine/derive-history.js';
import type { BalanceColumn, BalanceHistory } from '../../src/balances/engine/history.js';
import { decimalText, parseMinor } from '../../src/platform/money/minor-units.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import { dayOf, linesOf, type WrittenLedger } from './ledger-text.js';

/** What a heading stands for: one column, or the sum of several. */
const HEADINGS: Record<string, readonly BalanceColumn[]> = {
  start: ['startCash', 'startNonCash'],
  'cash in': ['cashInflows'],
  'cash out': ['cashOutflows'],
  'cash adj': ['cashAdjustments'],
  'non-cash in': ['nonCashInflows'],
  'non-cash out': ['nonCashOutflows'],
  market: ['netMarketFlows'],
  'non-cash adj': ['nonCashAdjustments'],
  cash: ['endCash'],
  'non-cash': ['endNonCash'],
  end: ['endCash', 'endNonCash'],
};

/** Where nothing happens there is 0, and a table need not have the column. */
const EVENTS = ['cash in', 'cash out', 'cash adj', 'non-cash in', 'non-cash out', 'market', 'non-cash adj'];

/**
 * Compares the whole history of a ledger with a table such as
 *
 *     day          |  start | cash in | cash out | cash adj |    end
 *     03-01        | 480.00 |   20.00 |          |          | 500.00   # 480 + 20
 *     03-02..03-05 | 500.00 |         |          |          | 500.00
 *
 * Every day must be in it. An empty cell is 0, and so is every day of a column of events that the table does not have.
 */
export function expectDays(written: WrittenLedger, table: string): void {
  const [heads = '', ...rows] = linesOf(table);
  const headings = cellsOf(heads).slice(1);
  const expected = rows.flatMap((row) => expand(row, headings, written.digits));
  const history = deriveHistory(written);
  expect(history && tableOf(history, headings, written.digits)).toEqual(expected);
  expect(unlisted(history!, headings)).toEqual([]);
}

function expand(row: string, headings: readonly string[], digits: number): string[] {
  const [days = '', ...cells] = cellsOf(row);
  const [from = '', to = from] = days.split('..');
  const amounts = headings.map((_, index) => parseMinor(cells[index] || '0', digits) ?? NaN);
  const dates = [];
  for (let day = dayOf(from); day <= dayOf(to); day++) dates.push(day);
  return dates.map((day) => rowText(day, amounts, headings, digits));
}

function tableOf(history: BalanceHistory, headings: readonly string[], digits: number): string[] {
  return Array.from({ length: history.length }, (_, row) => {
    const amounts = headings.map((heading) => amountAt(history, heading, row));
    return rowText(history.firstDay + row, amounts, headings, digits);
  });
}

function rowText(day: number, amounts: readonly number[], headings: readonly string[], digits: number): string {
  const cells = headings.map((heading, index) => `${heading} ${decimalText(amounts[index]!, digits)}`);
  return `${dateOfDayNumber(day).slice(5)}: ${cells.join(', ')}`;
}

/** Events that happened although the table has no column for them. */
function unlisted(history: BalanceHistory, headings: readonly string[]): string[] {
  return EVENTS.filter((heading) => !headings.includes(heading)).filter((heading) =>
    Array.from({ length: history.length }, (_, row) => row).some((row) => amountAt(history, heading, row) !== 0),
  );
}

function amountAt({ columns }: BalanceHistory, heading: string, row: number): number {
  const parts = HEADINGS[heading] ?? [];
  return parts.reduce((sum, column) => sum + columns[column][row]!, parts.length === 0 ? NaN : 0);
}

function cellsOf(row: string): string[] {
  return row.split('|').map((cell) => cell.trim());
}
