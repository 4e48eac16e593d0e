import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCOUNT_TYPES, type AccountType } from '../../balance-engine/ledger.js';
import { Pagination } from '../../http/pagination/page.js';
import { currencyText } from '../../money/currency-text.js';

/** A day on which $64.20 left a checking account. */
const EXAMPLE_MINOR = { start: 416_641, out: 6_420, end: 410_221, none: 0 };
type Example = keyof typeof EXAMPLE_MINOR;

/** The documentation of an amount: its text and its integer state the same amount. */
function Amount(example: Example, what: string, { required = false, nullable = false } = {}): PropertyDecorator {
  return ApiProperty({
    type: String,
    required,
    ...(nullable && { nullable }),
    description: what,
    example: currencyText(EXAMPLE_MINOR[example], 'USD'),
  });
}

function Minor(example: Example, { required = false, nullable = false } = {}): PropertyDecorator {
  return (target, name) => {
    const description = `\`${String(name).replace(/_cents$/, '')}\` in minor units.`;
    const options = { required, ...(nullable && { nullable }), description, example: EXAMPLE_MINOR[example] };
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
