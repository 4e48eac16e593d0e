import { type BalanceResponse, type BalanceRow, toBalanceResponse } from './balance.response.js';
import type { Exportable } from '../../http/export/record-export.service.js';
import { csvLine, formulaSafe } from '../../http/export/csv.js';

/** The members of an account in its balance records. */
export type ShownAccount = Pick<BalanceRow, 'account_name' | 'account_type'>;

/** A balance as read from the database: one text is cheaper for the driver than nineteen columns. */
export interface BalanceRecord extends ShownAccount {
  record: string;
}

/** In the order that {@link toBalanceRow} expects; none contains a space or is null. */
export const RECORD_SQL = `concat_ws(' ',
  b.account_id, b.id, b.date, b.currency, b.flows_factor, b.has_cash, b.start_cash, b.start_non_cash, b.cash_inflows, b.cash_outflows,
  b.non_cash_inflows, b.non_cash_outflows, b.net_market_flows, b.cash_adjustments, b.non_cash_adjustments, b.end_cash,
  b.end_non_cash, date_part('epoch', b.created_at), date_part('epoch', b.updated_at)) as record`;

/** The columns of a {@link BalanceRecord}, where `a` is the account. */
export const SHOWN_RECORD_SQL = `${RECORD_SQL}, a.name as account_name, a.account_type`;

/** @param accountOf finds the account of an id */
export function toBalanceRow(record: string, accountOf: (id: string) => ShownAccount): BalanceRow {
  const fields = record.split(' ');
  let at = 0;
  const text = () => fields[at++]!;
  const number = () => Number(fields[at++]);
  const accountId = text();
  const { account_name, account_type } = accountOf(accountId);
  return {
    id: text(),
    date: text(),
    currency: text(),
    flows_factor: number(),
    has_cash: text() === 't',
    start_cash: number(),
    start_non_cash: number(),
    cash_inflows: number(),
    cash_outflows: number(),
    non_cash_inflows: number(),
    non_cash_outflows: number(),
    net_market_flows: number(),
    cash_adjustments: number(),
    non_cash_adjustments: number(),
    end_cash: number(),
    end_non_cash: number(),
    created_at: number(),
    updated_at: number(),
    account_id: accountId,
    account_name,
    account_type,
  };
}

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
    'id',
    'date',
    'currency',
    'flows_factor',
    ...AMOUNT_COLUMNS,
    'account_id',
    'account_name',
    'account_type',
    'created_at',
    'updated_at',
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
