import type { BalanceRow } from './to-balance-response.js';

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
