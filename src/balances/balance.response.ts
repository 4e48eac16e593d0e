import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_TYPES, type AccountType } from '../balance-engine/ledger.js';
import { Pagination } from '../api/page.js';

/** What an amount field says about itself: its text and its integer always tell the same amount. */
function Amount(what: string, { required = false, nullable = false } = {}): PropertyDecorator {
  return ApiProperty({
    type: String,
    required,
    nullable,
    description: `${what}, as English currency text.`,
    example: '$1,234.56',
  });
}

function Minor(what: string, { required = false, nullable = false } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'integer',
      format: 'int64',
      required,
      nullable,
      description: `${what}, in minor units.`,
      example: 123456,
    }),
  );
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
    enum: ACCOUNT_TYPES,
    nullable: true,
    example: 'depository',
    description: '`null`: not known yet.',
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
    enum: [1, -1],
    example: 1,
    description: '`1` for assets, `-1` for liabilities, whose balance is what is owed.',
  })
  flows_factor: number;

  @Amount('Same as `end_balance`', REQUIRED)
  balance: string;

  @Minor('Same as `end_balance`', REQUIRED)
  balance_cents: number;

  @Amount('Same as `end_cash_balance`; `null` where the account has no cash part', NULLABLE)
  cash_balance: string | null;

  @Minor('Same as `end_cash_balance`; `null` where the account has no cash part', NULLABLE)
  cash_balance_cents: number | null;

  @Amount('Cash at the start of the day')
  start_cash_balance: string;

  @Minor('Cash at the start of the day')
  start_cash_balance_cents: number;

  @Amount('Everything else at the start of the day')
  start_non_cash_balance: string;

  @Minor('Everything else at the start of the day')
  start_non_cash_balance_cents: number;

  @Amount("The day before's `end_balance`", REQUIRED)
  start_balance: string;

  @Minor("The day before's `end_balance`", REQUIRED)
  start_balance_cents: number;

  @Amount('Cash that came in')
  cash_inflows: string;

  @Minor('Cash that came in')
  cash_inflows_cents: number;

  @Amount('Cash that went out')
  cash_outflows: string;

  @Minor('Cash that went out')
  cash_outflows_cents: number;

  @Amount('Securities bought, or what a loan was paid down by')
  non_cash_inflows: string;

  @Minor('Securities bought, or what a loan was paid down by')
  non_cash_inflows_cents: number;

  @Amount('Securities sold, or what was drawn on a loan')
  non_cash_outflows: string;

  @Minor('Securities sold, or what was drawn on a loan')
  non_cash_outflows_cents: number;

  @Amount('What the market did')
  net_market_flows: string;

  @Minor('What the market did')
  net_market_flows_cents: number;

  @Amount('Cash that no transaction explains')
  cash_adjustments: string;

  @Minor('Cash that no transaction explains')
  cash_adjustments_cents: number;

  @Amount('Everything else that no transaction explains')
  non_cash_adjustments: string;

  @Minor('Everything else that no transaction explains')
  non_cash_adjustments_cents: number;

  @Amount('Cash at the end of the day')
  end_cash_balance: string;

  @Minor('Cash at the end of the day')
  end_cash_balance_cents: number;

  @Amount('Everything else at the end of the day')
  end_non_cash_balance: string;

  @Minor('Everything else at the end of the day')
  end_non_cash_balance_cents: number;

  @Amount('Everything at the end of the day', REQUIRED)
  end_balance: string;

  @Minor('Everything at the end of the day', REQUIRED)
  end_balance_cents: number;

  @ApiProperty({ type: BalanceAccount })
  account: BalanceAccount;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-03-02T06:17:04.211Z',
    description: "Moves only when the record's content changes.",
  })
  updated_at: string;
}

export class BalanceCollection {
  @ApiProperty({ type: [BalanceResponse] })
  balances: BalanceResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}
