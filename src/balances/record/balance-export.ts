import type { Exportable } from '../../http/export/record-export.service.js';
import { csvLine, formulaSafe } from '../../http/export/csv.js';
import { instantText } from '../../time/instant-text.js';
import { amountCells } from './amount-cells.js';
import { type BalanceRecord, toBalanceRow } from './balance-record.js';
import { type BalanceRow, toBalanceResponse } from './to-balance-response.js';

/** Each amount has a text and, with the suffix `_cents`, an integer. */
const AMOUNT_COLUMNS = [
  ...['balance', 'cash_balance', 'start_cash_balance', 'start_non_cash_balance', 'start_balance'],
  ...['cash_inflows', 'cash_outflows', 'non_cash_inflows', 'non_cash_outflows', 'net_market_flows'],
  ...['cash_adjustments', 'non_cash_adjustments', 'end_cash_balance', 'end_non_cash_balance', 'end_balance'],
].flatMap((name) => [name, `${name}_cents`]);

/** The fields of the list, with those of the account. A bank's text is protected from being read as a formula. */
export const BALANCE_EXPORT: Exportable<BalanceRecord> = {
  name: 'balances',
  toItem: (read) => toBalanceResponse(toBalanceRow(read.record, () => read)),
  columns: [
    ...['id', 'date', 'currency', 'flows_factor', ...AMOUNT_COLUMNS],
    ...['account_id', 'account_name', 'account_type', 'created_at', 'updated_at'],
  ],
  toLine: (read) => lineOf(toBalanceRow(read.record, () => read)),
};

/** Written directly and not from the response object: a million lines have thirty million cells. */
function lineOf(row: BalanceRow): string {
  const cells = (minor: number | null) => amountCells(minor, row.currency);
  const balance = cells(row.end_cash + row.end_non_cash);
  const cash = cells(row.end_cash);
  const beginning = `${row.id},${row.date},${row.currency},${row.flows_factor},${balance}${row.has_cash ? cash : cells(null)}`;
  const start = `${cells(row.start_cash)}${cells(row.start_non_cash)}${cells(row.start_cash + row.start_non_cash)}`;
  const cashFlows = `${cells(row.cash_inflows)}${cells(row.cash_outflows)}`;
  const otherFlows = `${cells(row.non_cash_inflows)}${cells(row.non_cash_outflows)}${cells(row.net_market_flows)}`;
  const adjustments = `${cells(row.cash_adjustments)}${cells(row.non_cash_adjustments)}`;
  const end = `${cash}${cells(row.end_non_cash)}${balance}`;
  const { account_id: id, account_name: name, account_type: type } = row;
  const rest = csvLine([id, formulaSafe(name), type, instantText(row.created_at), instantText(row.updated_at)]);
  return `${beginning}${start}${cashFlows}${otherFlows}${adjustments}${end}${rest}`;
}

export const BALANCE_EXAMPLE: BalanceRecord = {
  record:
    '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90 c1d8c6de-58f4-4d0a-8a69-2f4f5e1a7b11 2026-03-02 USD 1 t ' +
    '416641 0 0 6420 0 0 0 0 0 410221 0 1772432224.211 1772432224.211',
  account_name: 'Everyday Checking',
  account_type: 'depository',
};
