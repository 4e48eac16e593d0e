import { type BalanceColumn, BALANCE_COLUMNS, type BalanceHistory } from './history.js';
import type { DayNumber } from './ledger.js';

type Columns = BalanceHistory['columns'];

/** Columns of zeros for `length` days. */
export function emptyColumns(length: number): Columns {
  return Object.fromEntries(BALANCE_COLUMNS.map((column) => [column, new Float64Array(length)])) as Columns;
}

/** The columns of one part of an account, cash or non-cash: the same arithmetic under other names. */
export interface Part {
  start: Float64Array;
  inflows: Float64Array;
  outflows: Float64Array;
  adjustments: Float64Array;
  end: Float64Array;
}

export function cashPart(columns: Columns): Part {
  return part(columns, ['startCash', 'cashInflows', 'cashOutflows', 'cashAdjustments', 'endCash']);
}

export function nonCashPart(columns: Columns): Part {
  const names = ['startNonCash', 'nonCashInflows', 'nonCashOutflows', 'nonCashAdjustments', 'endNonCash'] as const;
  return part(columns, names);
}

type PartNames = readonly [BalanceColumn, BalanceColumn, BalanceColumn, BalanceColumn, BalanceColumn];

function part(columns: Columns, [start, inflows, outflows, adjustments, end]: PartNames): Part {
  return {
    start: columns[start],
    inflows: columns[inflows],
    outflows: columns[outflows],
    adjustments: columns[adjustments],
    end: columns[end],
  };
}

/** Adds a flow in the holder's view (positive = in) to a day's row. */
export function addFlow({ inflows, outflows }: Part, row: number, amountMinor: number): void {
  if (amountMinor > 0) inflows[row]! += amountMinor;
  else if (amountMinor < 0) outflows[row]! -= amountMinor;
}

/** Fills start and end of every row from flows and adjustments, given the first row's start in the stored sign. */
export function runBalances(
  { start, inflows, outflows, adjustments, end }: Part,
  factor: 1 | -1,
  opening: number,
): void {
  let balance = opening;
  for (let row = 0; row < end.length; row++) {
    start[row] = balance;
    balance += (inflows[row]! - outflows[row]!) * factor + adjustments[row]!;
    end[row] = balance;
  }
}

/** What is derived of one account, row 0 being `firstDay`. */
export interface Frame {
  firstDay: DayNumber;
  lastDay: DayNumber;
  columns: Columns;
  /** How sure each row is, see `certainty.ts`. */
  certainty: Uint8Array;
}

export function frame(firstDay: DayNumber, lastDay: DayNumber): Frame {
  const length = lastDay - firstDay + 1;
  return { firstDay, lastDay, columns: emptyColumns(length), certainty: new Uint8Array(length) };
}
