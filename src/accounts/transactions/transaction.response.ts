import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Pagination } from '../../http/pagination/page.js';
import { amountText } from '../../money/currency-text.js';
import { instantText } from '../../time/instant-text.js';

export class TransactionAccount {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;
}

export class TransactionResponse {
  @ApiProperty({
    format: 'uuid',
    description: 'Stays when a pending transaction is posted, and when the bank changes it.',
  })
  id: string;

  @ApiProperty({ format: 'date', description: 'Posted: the posting day. Pending: the day it was made.' })
  date: string;

  @ApiProperty({ example: '-$64.20', description: 'Positive = into the account.' })
  amount: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: -6420, description: 'In minor units.' })
  amount_cents: number;

  @ApiProperty({ example: 'USD', description: "May differ from the account's; then it is not part of the history." })
  currency: string;

  @ApiProperty({ example: 'CITY WATER AUTOPAY' })
  description: string;

  @ApiProperty({ type: String, nullable: true, example: 'City Water' })
  merchant: string | null;

  @ApiProperty({ description: 'Authorised but not posted yet: shown, never counted.' })
  pending: boolean;

  @ApiProperty({ type: TransactionAccount })
  account: TransactionAccount;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

export class TransactionCollection {
  @ApiProperty({ type: [TransactionResponse] })
  transactions: TransactionResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Only with `cursor`: where to read on; `null` at the end of the list.',
  })
  next_cursor?: string | null;
}

/** A row of the list query. */
export interface TransactionRow {
  id: string;
  date: string;
  amount_minor: number;
  currency: string;
  description: string;
  merchant: string | null;
  pending: boolean;
  account_id: string;
  account_name: string;
  /** Seconds since the epoch. */
  created_at: number;
  updated_at: number;
}

export function toTransactionResponse(row: TransactionRow): TransactionResponse {
  const { amount_minor: minor, currency } = row;
  return {
    id: row.id,
    date: row.date,
    amount: amountText(minor, currency),
    amount_cents: minor,
    currency,
    description: row.description,
    merchant: row.merchant,
    pending: row.pending,
    account: { id: row.account_id, name: row.account_name },
    created_at: instantText(row.created_at),
    updated_at: instantText(row.updated_at),
  };
}
