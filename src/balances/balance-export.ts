import type { Exportable } from '../accounts/record-export.js';
import { formulaSafe } from '../api/csv.js';
import type { BalanceResponse } from './balance.response.js';
import { toBalanceResponse, type BalanceRow } from './to-balance-response.js';

/** Each is a pair: its text and, with the suffix `_cents`, its integer. */
const AMOUNTS = [
  ...['balance', 'cash_balance', 'start_cash_balance', 'start_non_cash_balance', 'start_balance'],
  ...['cash_inflows', 'cash_outflows', 'non_cash_inflows', 'non_cash_outflows', 'net_market_flows'],
  ...['cash_adjustments', 'non_cash_adjustments', 'end_cash_balance', 'end_non_cash_balance', 'end_balance'],
];

const COLUMNS = [
  ...['id', 'date', 'currency', 'flows_factor'],
  ...AMOUNTS.flatMap((name) => [name, `${name}_cents`]),
  ...['account_id', 'account_name', 'account_type', 'created_at', 'updated_at'],
];

/** The fields of the list, the account's among them; a name that a bank wrote is no formula. */
export const BALANCE_EXPORT: Exportable<BalanceRow, BalanceResponse> = {
  name: 'balances',
  toItem: toBalanceResponse,
  columns: COLUMNS,
  toCells: ({ account, ...balance }) => {
    const cells: Record<string, string | number | null> = {
      ...balance,
      account_id: account.id,
      account_name: formulaSafe(account.name),
      account_type: account.account_type,
    };
    return COLUMNS.map((column) => cells[column] ?? null);
  },
};
