import type { Exportable } from '../accounts/record-export.js';
import { type CsvCell, formulaSafe } from '../api/csv.js';
import type { BalanceResponse } from './balance.response.js';
import { toBalanceResponse, type BalanceRow } from './to-balance-response.js';

/** Each is a pair: its text and, with the suffix `_cents`, its integer. */
const AMOUNTS = [
  ...(['balance', 'cash_balance', 'start_cash_balance', 'start_non_cash_balance', 'start_balance'] as const),
  ...(['cash_inflows', 'cash_outflows', 'non_cash_inflows', 'non_cash_outflows', 'net_market_flows'] as const),
  ...(['cash_adjustments', 'non_cash_adjustments', 'end_cash_balance', 'end_non_cash_balance', 'end_balance'] as const),
];
const AMOUNT_COLUMNS = AMOUNTS.flatMap((name) => [name, `${name}_cents`] as const);

/** The fields of the list, the account's among them; a name that a bank wrote is no formula. */
export const BALANCE_EXPORT: Exportable<BalanceRow, BalanceResponse> = {
  name: 'balances',
  toItem: toBalanceResponse,
  columns: [
    ...['id', 'date', 'currency', 'flows_factor', ...AMOUNT_COLUMNS],
    ...['account_id', 'account_name', 'account_type', 'created_at', 'updated_at'],
  ],
  toCells: (balance) => {
    const { id, date, currency, flows_factor: factor, account, created_at, updated_at } = balance;
    const cells: CsvCell[] = [id, date, currency, factor];
    for (const column of AMOUNT_COLUMNS) cells.push(balance[column] ?? null);
    cells.push(account.id, formulaSafe(account.name), account.account_type, created_at, updated_at);
    return cells;
  },
};

export const BALANCE_EXAMPLE: BalanceRow = {
  id: 'c1d8c6de-58f4-4d0a-8a69-2f4f5e1a7b11',
  date: '2026-03-02',
  currency: 'USD',
  flows_factor: 1,
  has_cash: true,
  start_cash: 416_641,
  start_non_cash: 0,
  cash_inflows: 0,
  cash_outflows: 6_420,
  non_cash_inflows: 0,
  non_cash_outflows: 0,
  net_market_flows: 0,
  cash_adjustments: 0,
  non_cash_adjustments: 0,
  end_cash: 410_221,
  end_non_cash: 0,
  created_at: 1772432224.211,
  updated_at: 1772432224.211,
  account_id: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90',
  account_name: 'Everyday Checking',
  account_type: 'depository',
};
