import { type CalendarDate, currencyCode } from '../../../kit.js';
import { directionOf, writtenAmount } from './amounts.js';
import type { CsvRecord } from './csv-records.js';
import { writtenDate } from './dates.js';
import { idOf } from './statements.js';

/** What the first rows have in a column. */
export class Sample {
  constructor(
    readonly rows: readonly CsvRecord[],
    readonly today: CalendarDate,
  ) {}

  cells(column: number): string[] {
    return this.rows.flatMap(({ cells }) => cells[column]?.trim() || []);
  }

  /** Whether nearly all cells that are filled are of a kind; a footer is among them. */
  isMostly(column: number, isOfKind: (cell: string) => boolean): boolean {
    const cells = this.cells(column);
    const fitting = cells.filter(isOfKind).length;
    return cells.length === 0 ? this.rows.length === 0 : fitting > 0 && 2 * fitting > cells.length;
  }

  letters(column: number): number {
    return this.cells(column)
      .join('')
      .replace(/[^\p{L}]/gu, '').length;
  }

  isOfAmounts(column: number): boolean {
    return this.isMostly(column, (cell) => writtenAmount(cell) !== null);
  }

  isOfDates(column: number): boolean {
    return this.isMostly(column, (cell) => writtenDate(cell, this.today) !== null);
  }

  /** Enough for a column that has the name of one: what cannot be read in it is a problem of the row. */
  hasDates(column: number): boolean {
    return this.rows.length === 0 || this.cells(column).some((cell) => writtenDate(cell, this.today) !== null);
  }

  hasAmounts(column: number): boolean {
    const cells = this.cells(column);
    return cells.length === 0 || cells.some((cell) => writtenAmount(cell) !== null);
  }

  isOfCurrencies(column: number): boolean {
    return this.isMostly(column, (cell) => currencyCode(cell) !== null);
  }

  /** Whether all cells say in or out, or most of them. */
  isOfDirections(column: number, how: 'all' | 'most'): boolean {
    const cells = this.cells(column);
    const fitting = cells.filter((cell) => directionOf(cell) !== null).length;
    return fitting > 0 && (how === 'all' ? fitting === cells.length : 2 * fitting > cells.length);
  }

  /** The account of a row says the same in many rows; that of the other side does not. */
  isOfOwnAccount(column: number, isClear: boolean): boolean {
    const cells = this.cells(column);
    const different = new Set(cells).size;
    return cells.length > 0 && (isClear ? different <= 2 || 2 * different <= cells.length : different === 1);
  }

  /** An id stands there once, or twice where the whole row does; one that is named so may also be of a row and its fee. */
  isOfIds(column: number, isClear: boolean): boolean {
    const rows = new Map<string, string>();
    let filled = 0;
    for (const { cells } of this.rows) {
      const id = idOf(cells[column]);
      if (id === null) continue;
      filled++;
      const row = cells.join('\n');
      const isLikeAnId = id.length >= 4 && !/\s/.test(id) && /\d/.test(id) && (rows.get(id) ?? row) === row;
      if (!isClear && !isLikeAnId) return false;
      rows.set(id, row);
    }
    return isClear ? rows.size > 1 || (rows.size === 1 && filled < 3) : 2 * rows.size > this.rows.length;
  }
}
