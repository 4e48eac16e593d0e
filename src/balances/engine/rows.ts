import type { AccountRules } from './account-type.js';
import type { Certainty } from './certainty.js';
import { type BalanceColumn, BALANCE_COLUMNS, type BalanceHistory } from './history.js';
import type { DayNumber } from './ledger.js';

type Columns = BalanceHistory['columns'];

/** Columns of zeros for `length` days; of the parts that an account does not have they are one and the same. */
function emptyColumns(length: number, used: readonly BalanceColumn[]): Columns {
  const unused = new Float64Array(length);
  return Object.fromEntries(
    BALANCE_COLUMNS.map((column) => [column, used.includes(column) ? new Float64Array(length) : unused]),
  ) as Columns;
}

/** The columns of one part of an account, cash or non-cash: the same arithmetic under other names. */
export interface Part {
  start: Float64Array;
  inflows: Float64Array;
  outflows: Float64Array;
  adjustments: Float64Array;
  end: Float64Array;
}

type PartNames = readonly [BalanceColumn, BalanceColumn, BalanceColumn, BalanceColumn, BalanceColumn];

const CASH: PartNames = ['startCash', 'cashInflows', 'cashOutflows', 'cashAdjustments', 'endCash'];
const NON_CASH: PartNames = ['startNonCash', 'nonCashInflows', 'nonCashOutflows', 'nonCashAdjustments', 'endNonCash'];

export function cashPart(columns: Columns): Part {
  return part(columns, CASH);
}

export function nonCashPart(columns: Columns): Part {
  return part(columns, NON_CASH);
}

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
  /** What is in doubt of each row, see `history.ts`. */
  doubt: Float64Array;
}

/**
 * Marks a row, unless it is marked as less certain already. Of several amounts in doubt the largest counts.
 *
 * @param doubtMinor by how much its balance is more or less if what it is marked for is so; 0: unknown
 */
export function mark({ certainty, doubt }: Frame, row: number, value: Certainty, doubtMinor = 0): void {
  if (value > certainty[row]!) certainty[row] = value;
  if (Math.abs(doubtMinor) > Math.abs(doubt[row]!) && Number.isSafeInteger(doubtMinor)) doubt[row] = doubtMinor;
}

export function frame(firstDay: DayNumber, lastDay: DayNumber, { movedBy, hasCash }: AccountRules): Frame {
  const length = lastDay - firstDay + 1;
  const used = movedBy === 'holdings' ? BALANCE_COLUMNS : hasCash ? CASH : NON_CASH;
  const [certainty, doubt] = [new Uint8Array(length), new Float64Array(length)];
  return { firstDay, lastDay, columns: emptyColumns(length, used), certainty, doubt };
}
