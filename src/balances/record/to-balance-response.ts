import type { AccountType } from '../../balance-engine/ledger.js';
import { currencyText } from '../../money/currency-text.js';
import { instantText } from '../../time/instant-text.js';
import type { BalanceResponse } from './balance.response.js';

/** A row of the list query: a balance with the members of its account. Amounts in minor units. */
export interface BalanceRow {
  id: string;
  date: string;
  currency: string;
  flows_factor: number;
  has_cash: boolean;
  start_cash: number;
  start_non_cash: number;
  cash_inflows: number;
  cash_outflows: number;
  non_cash_inflows: number;
  non_cash_outflows: number;
  net_market_flows: number;
  cash_adjustments: number;
  non_cash_adjustments: number;
  end_cash: number;
  end_non_cash: number;
  /** Seconds since the epoch. */
  created_at: number;
  updated_at: number;
  account_id: string;
  account_name: string;
  account_type: AccountType | null;
}

/** The one place that maps a stored balance to its response. */
export function toBalanceResponse(row: BalanceRow): BalanceResponse {
  const text = (minor: number) => currencyText(minor, row.currency);
  const start = row.start_cash + row.start_non_cash;
  const end = row.end_cash + row.end_non_cash;
  const endText = text(end);
  const endCashText = text(row.end_cash);
  return {
    id: row.id,
    date: row.date,
    currency: row.currency,
    flows_factor: row.flows_factor,
    balance: endText,
    balance_cents: end,
    cash_balance: row.has_cash ? endCashText : null,
    cash_balance_cents: row.has_cash ? row.end_cash : null,
    start_cash_balance: text(row.start_cash),
    start_cash_balance_cents: row.start_cash,
    start_non_cash_balance: text(row.start_non_cash),
    start_non_cash_balance_cents: row.start_non_cash,
    start_balance: text(start),
    start_balance_cents: start,
    cash_inflows: text(row.cash_inflows),
    cash_inflows_cents: row.cash_inflows,
    cash_outflows: text(row.cash_outflows),
    cash_outflows_cents: row.cash_outflows,
    non_cash_inflows: text(row.non_cash_inflows),
    non_cash_inflows_cents: row.non_cash_inflows,
    non_cash_outflows: text(row.non_cash_outflows),
    non_cash_outflows_cents: row.non_cash_outflows,
    net_market_flows: text(row.net_market_flows),
    net_market_flows_cents: row.net_market_flows,
    cash_adjustments: text(row.cash_adjustments),
    cash_adjustments_cents: row.cash_adjustments,
    non_cash_adjustments: text(row.non_cash_adjustments),
    non_cash_adjustments_cents: row.non_cash_adjustments,
    end_cash_balance: endCashText,
    end_cash_balance_cents: row.end_cash,
    end_non_cash_balance: text(row.end_non_cash),
    end_non_cash_balance_cents: row.end_non_cash,
    end_balance: endText,
    end_balance_cents: end,
    account: { id: row.account_id, name: row.account_name, account_type: row.account_type },
    created_at: instantText(row.created_at),
    updated_at: instantText(row.updated_at),
  };
}
