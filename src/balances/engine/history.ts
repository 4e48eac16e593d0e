import type { Finding } from './finding.js';
import type { DayNumber } from './ledger.js';

/**
 * The balance history of one account: one row per day without a gap, as columns. Row `i` is the day `firstDay + i`.
 * All columns are safe integers in minor units and have `length` rows.
 *
 * In every row, with `factor` 1 for assets and -1 for liabilities:
 *   endCash    = startCash    + (cashInflows    - cashOutflows)    * factor + cashAdjustments
 *   endNonCash = startNonCash + (nonCashInflows - nonCashOutflows) * factor + netMarketFlows + nonCashAdjustments
 * and a day's start is the day before's end.
 */
export interface BalanceHistory {
  firstDay: DayNumber;
  length: number;
  factor: 1 | -1;
  /** Whether the account has a cash part at all; without one its cash columns are 0. */
  hasCash: boolean;
  columns: Record<BalanceColumn, Float64Array>;
  findings: Finding[];
  /** How sure each row is: `KNOWN`, `ESTIMATED` or `UNKNOWN` of `certainty.ts`. */
  certainty: Uint8Array;
  /** Of an estimated row, what its balance is more or less by the other explanation; 0: the amount is unknown. */
  doubt: Float64Array;
}

export const BALANCE_COLUMNS = [
  'startCash',
  'startNonCash',
  'cashInflows',
  'cashOutflows',
  'nonCashInflows',
  'nonCashOutflows',
  'netMarketFlows',
  'cashAdjustments',
  'nonCashAdjustments',
  'endCash',
  'endNonCash',
] as const;

export type BalanceColumn = (typeof BALANCE_COLUMNS)[number];
