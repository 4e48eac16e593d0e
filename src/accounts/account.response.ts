import { ApiProperty } from '@nestjs/swagger';
import { Pagination } from '../http/pagination/page.js';
import { accountRules } from '../balance-engine/account-type.js';
import { ACCOUNT_TYPES, type AccountType } from '../balance-engine/ledger.js';
import { currencyCode } from '../money/currency.js';
import { currencyText } from '../money/currency-text.js';
import { instantText } from '../time/instant-text.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_MINOR = { type: 'integer', format: 'int64', nullable: true } as const;

export class AccountResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;

  @ApiProperty({ ...NULLABLE_TEXT, example: 'North Quay Credit Union' })
  institution: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, enum: ACCOUNT_TYPES, description: '`null`: not known yet.', example: 'depository' })
  account_type: AccountType | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: "ISO 4217 code, metal or coin (BTC, ETH, XAU, …), or the provider's own text where it is none.",
    example: 'USD',
  })
  currency: string | null;

  @ApiProperty({
    type: 'number',
    format: 'float',
    example: 1,
    description:
      '`1` for assets, `-1` for liabilities, whose balance is the amount owed: multiply balances by it to add them up.',
  })
  flows_factor: number;

  @ApiProperty({
    description: '`false`: shown, but without balances and history, since its currency has no minor unit.',
  })
  currency_supported: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The newest balance; for a liability, the amount owed. `null`: never reported.',
    example: '$1,234.56',
  })
  balance: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Where the currency is not supported: the newest balance as the provider reports it, decimal text.',
  })
  unsupported_balance: string | null;

  @ApiProperty({ ...NULLABLE_MINOR, example: 123456 })
  balance_cents: number | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'As the provider reports it.', example: '$1,200.00' })
  available: string | null;

  @ApiProperty({ ...NULLABLE_MINOR, example: 120000 })
  available_cents: number | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'date',
    description: 'The day of the balance, as the provider states it; otherwise the day it was reported.',
  })
  balance_date: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'date',
    description:
      'The date of the balance, if the provider lists the account without an error but has brought nothing new of it ' +
      'for seven days, though it usually does; `null`: it is not stale.',
  })
  stale_since: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, format: 'uuid', description: '`null` once its connection was removed.' })
  connection_id: string | null;

  @ApiProperty({ example: 'us_provider' })
  provider: string;

  @ApiProperty({
    enum: ['active', 'missing', 'disconnected'],
    description: '`missing`: the provider no longer lists the account.',
  })
  status: 'active' | 'missing' | 'disconnected';

  @ApiProperty({
    ...NULLABLE_TEXT,
    format: 'date',
    description: 'The last day of an account that you closed; `null`: it is open.',
  })
  closed_on: string | null;

  @ApiProperty({ description: '`false`: you left it out of net worth.' })
  include_in_net_worth: boolean;

  @ApiProperty({ example: false, description: '`true`: folded away in the overview. It still counts.' })
  hidden: boolean;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: '`false`: holdings are not available from this provider. `null`: not known yet.',
  })
  holdings_supported: boolean | null;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T06:17:04.211Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the account itself last changed, such as its name; its balances have their own.',
    example: '2026-03-02T06:17:04.211Z',
  })
  updated_at: string;
}

export class AccountCollection {
  @ApiProperty({ type: [AccountResponse] })
  accounts: AccountResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

/** A row of the list query. Amounts in minor units. */
export interface AccountRow extends Omit<
  AccountResponse,
  | 'flows_factor'
  | 'currency_supported'
  | 'balance'
  | 'balance_cents'
  | 'available'
  | 'available_cents'
  | 'status'
  | 'created_at'
  | 'updated_at'
> {
  balance_minor: number | null;
  available_minor: number | null;
  status: 'active' | 'missing';
  /** Seconds of Unix time. */
  created_at: number;
  updated_at: number;
}

export function toAccountResponse(row: AccountRow): AccountResponse {
  const currency = currencyCode(row.currency);
  const text = (minor: number | null) => (currency === null || minor === null ? null : currencyText(minor, currency));
  return {
    id: row.id,
    name: row.name,
    institution: row.institution,
    account_type: row.account_type,
    currency: row.currency,
    flows_factor: accountRules(row.account_type).factor,
    currency_supported: currency !== null,
    balance: text(row.balance_minor),
    unsupported_balance: currency === null ? row.unsupported_balance : null,
    balance_cents: row.balance_minor,
    available: text(row.available_minor),
    available_cents: row.available_minor,
    balance_date: row.balance_date,
    stale_since: row.stale_since,
    connection_id: row.connection_id,
    provider: row.provider,
    status: row.connection_id === null ? 'disconnected' : row.status,
    closed_on: row.closed_on,
    include_in_net_worth: row.include_in_net_worth,
    hidden: row.hidden,
    holdings_supported: row.holdings_supported,
    created_at: instantText(row.created_at),
    updated_at: instantText(row.updated_at),
  };
}
