import type { BalanceColumn, BalanceHistory } from '../../balance-engine/history.js';
import type { DayNumber } from '../../balance-engine/ledger.js';

/**
 * The history without the days after `lastDay`. Where the last balance of a closed account went is unknown, so no
 * outflow is invented: the account has no balance any more.
 *
 * @returns `null` when no day is left
 */
export function endHistory(history: BalanceHistory, lastDay: DayNumber): BalanceHistory | null {
  const length = Math.min(history.length, lastDay - history.firstDay + 1);
  if (length <= 0) return null;
  const columns = Object.entries(history.columns).map(([name, values]) => [name, values.subarray(0, length)]);
  return {
    ...history,
    length,
    columns: Object.fromEntries(columns) as Record<BalanceColumn, Float64Array>,
    certainty: history.certainty.subarray(0, length),
  };
}
