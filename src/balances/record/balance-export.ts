import type { Exportable } from '../../http/export/record-export.service.js';
import { csvLine, formulaSafe } from '../../http/export/csv.js';
import { type BalanceRecord, toBalanceRow } from './balance-record.js';
import type { BalanceResponse } from './balance.response.js';
import { toBalanceResponse } from './to-balance-response.js';

const AMOUNTS = [
  'balance',
  'cash_balance',
  'start_cash_balance',
  'start_non_cash_balance',
  'start_balance',
  'cash_inflows',
  'cash_outflows',
  'non_cash_inflows',
  'non_cash_outflows',
  'net_market_flows',
  'cash_adjustments',
  'non_cash_adjustments',
  'end_cash_balance',
  'end_non_cash_balance',
  'end_balance',
] as const;

/** Each amount has a text and, with the suffix `_cents`, an integer. */
const AMOUNT_COLUMNS = AMOUNTS.flatMap((name) => [name, `${name}_cents`] as const);

/** The fields of the list, with those of the account. A bank's text is protected from being read as a formula. */
export const BALANCE_EXPORT: Exportable<BalanceRecord> = {
  name: 'balances',
  toItem,
  columns: [
    ...['id', 'date', 'currency', 'flows_factor', ...AMOUNT_COLUMNS],
    ...['account_id', 'account_name', 'account_type', 'created_at', 'updated_at'],
  ],
  toLine,
};

function toItem(read: BalanceRecord): BalanceResponse {
  return toBalanceResponse(toBalanceRow(read.record, () => read));
}

function toLine(read: BalanceRecord): string {
  const { id, date, currency, flows_factor, account, created_at, updated_at, ...amounts } = toItem(read);
  const cells = AMOUNT_COLUMNS.map((column) => amounts[column]);
  const { id: accountId, name, account_type } = account;
  const ofAccount = [accountId, formulaSafe(name), account_type];
  return csvLine([id, date, currency, flows_factor, ...cells, ...ofAccount, created_at, updated_at]);
}

export const BALANCE_EXAMPLE: BalanceRecord = {
  record:
    '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90 c1d8c6de-58f4-4d0a-8a69-2f4f5e1a7b11 2026-03-02 USD 1 t ' +
    '416641 0 0 6420 0 0 0 0 0 410221 0 1772432224.211 1772432224.211',
  account_name: 'Everyday Checking',
  account_type: 'depository',
};
