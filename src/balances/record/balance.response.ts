import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCOUNT_TYPES, type AccountType } from '../../balance-engine/ledger.js';
import { Pagination } from '../../http/pagination/page.js';
import { currencyText } from '../../money/currency-text.js';
import { instantText } from '../../time/instant-text.js';

/** A day on which $64.20 left a checking account. */
const EXAMPLES = {
  start: { text: '$4,166.41', minor: 416_641 },
  out: { text: '$64.20', minor: 6_420 },
  end: { text: '$4,102.21', minor: 410_221 },
  none: { text: '$0.00', minor: 0 },
};
type Example = keyof typeof EXAMPLES;

/** The documentation of an amount: its text and its integer state the same amount. */
function Amount(example: Example, what: string, { required = false, nullable = false } = {}): PropertyDecorator {
  return ApiProperty({
    type: String,
    required,
    ...(nullable && { nullable }),
    description: what,
    example: EXAMPLES[example].text,
  });
}

function Minor(example: Example, { required = false, nullable = false } = {}): PropertyDecorator {
  return (target, name) => {
    const description = `\`${String(name).replace(/_cents$/, '')}\` in minor units.`;
    const options = { required, ...(nullable && { nullable }), description, example: EXAMPLES[example].minor };
    ApiProperty({ type: 'integer', ...options })(target, name);
  };
}

const REQUIRED = { required: true };
const NULLABLE = { nullable: true };

export class BalanceAccount {
  @ApiProperty({ format: 'uuid', example: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90' })
  id: string;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'depository',
    description: `One of ${ACCOUNT_TYPES.join(', ')}; \`null\`: not known yet.`,
  })
  account_type: AccountType | null;
}

/** One account on one day. */
export class BalanceResponse {
  @ApiProperty({
    format: 'uuid',
    example: 'c1d8c6de-58f4-4d0a-8a69-2f4f5e1a7b11',
    description: 'Stays through every re-derivation.',
  })
  id: string;

  @ApiProperty({ format: 'date', example: '2026-03-02' })
  date: string;

  @ApiProperty({ example: 'USD', description: 'ISO 4217 code.' })
  currency: string;

  @ApiProperty({
    type: 'number',
    format: 'float',
    example: 1,
    description: '`1` for assets, `-1` for liabilities, whose balance is the amount owed.',
  })
  flows_factor: number;

  @Amount('end', 'Same as `end_balance`', REQUIRED)
  balance: string;

  @Minor('end', REQUIRED)
  balance_cents: number;

  @Amount('end', 'Same as `end_cash_balance`; `null` where the account has no cash part', NULLABLE)
  cash_balance: string | null;

  @Minor('end', NULLABLE)
  cash_balance_cents: number | null;

  @Amount('start', 'Cash at the start of the day')
  start_cash_balance: string;

  @Minor('start')
  start_cash_balance_cents: number;

  @Amount('none', 'Everything else at the start of the day')
  start_non_cash_balance: string;

  @Minor('none')
  start_non_cash_balance_cents: number;

  @Amount('start', "The day before's `end_balance`", REQUIRED)
  start_balance: string;

  @Minor('start', REQUIRED)
  start_balance_cents: number;

  @Amount('none', 'Cash that came in')
  cash_inflows: string;

  @Minor('none')
  cash_inflows_cents: number;

  @Amount('out', 'Cash that went out')
  cash_outflows: string;

  @Minor('out')
  cash_outflows_cents: number;

  @Amount('none', 'Securities bought, or what a loan was paid down by')
  non_cash_inflows: string;

  @Minor('none')
  non_cash_inflows_cents: number;

  @Amount('none', 'Securities sold, or what was drawn on a loan')
  non_cash_outflows: string;

  @Minor('none')
  non_cash_outflows_cents: number;

  @Amount('none', 'What the market did')
  net_market_flows: string;

  @Minor('none')
  net_market_flows_cents: number;

  @Amount('none', 'Cash that no transaction explains')
  cash_adjustments: string;

  @Minor('none')
  cash_adjustments_cents: number;

  @Amount('none', 'Everything else that no transaction explains')
  non_cash_adjustments: string;

  @Minor('none')
  non_cash_adjustments_cents: number;

  @Amount('end', 'Cash at the end of the day')
  end_cash_balance: string;

  @Minor('end')
  end_cash_balance_cents: number;

  @Amount('none', 'Everything else at the end of the day')
  end_non_cash_balance: string;

  @Minor('none')
  end_non_cash_balance_cents: number;

  @Amount('end', 'Everything at the end of the day', REQUIRED)
  end_balance: string;

  @Minor('end', REQUIRED)
  end_balance_cents: number;

  @ApiProperty({ type: BalanceAccount })
  account: BalanceAccount;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-03-02T06:17:04.211Z',
    description: 'Changes only when the record’s content changes.',
  })
  updated_at: string;
}

export class BalanceCollection {
  @ApiProperty({ type: [BalanceResponse] })
  balances: BalanceResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Only with `cursor`: where to read on; `null` at the end of the list.',
  })
  next_cursor?: string | null;
}

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
