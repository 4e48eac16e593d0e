import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AccountReference } from '../account-reference.response.js';
import { Pagination } from '../../http/pagination/page.js';
import { amountText } from '../../money/currency-text.js';
import { instantText } from '../../time/instant-text.js';
import { csvLine, formulaSafe } from '../../http/export/csv.js';
import type { Exportable } from '../../http/export/record-export.service.js';

export class TransactionResponse {
  @ApiProperty({
    format: 'uuid',
    description: 'Stays when a pending transaction is posted, and when the bank changes it.',
  })
  id: string;

  @ApiProperty({ format: 'date', description: 'Posted: the posting day. Pending: the day it was made.' })
  date: string;

  @ApiProperty({
    example: '-$64.20',
    description:
      'Negative = out of the account: a purchase, on a card as well. Positive = into it: a payment of a debt.',
  })
  amount: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: -6420, description: 'In minor units.' })
  amount_cents: number;

  @ApiProperty({
    example: '-$64.20',
    description:
      'As the bank lists it. Its sign differs where the balances show that the bank lists the opposite sign.',
  })
  reported_amount: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: -6420, description: 'In minor units.' })
  reported_amount_cents: number;

  @ApiProperty({ example: 'USD', description: "May differ from the account's; then it is not part of the history." })
  currency: string;

  @ApiProperty({ example: 'CITY WATER AUTOPAY' })
  description: string;

  @ApiProperty({ type: String, nullable: true, example: 'City Water' })
  merchant: string | null;

  @ApiProperty({ description: 'Authorised but not posted yet: shown, never counted.' })
  pending: boolean;

  @ApiProperty({ type: AccountReference })
  account: AccountReference;

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
export interface TransactionRow extends Omit<
  TransactionResponse,
  'amount' | 'amount_cents' | 'reported_amount' | 'reported_amount_cents' | 'account' | 'created_at' | 'updated_at'
> {
  amount_minor: number;
  reported_minor: number;
  account_id: string;
  account_name: string;
  /** Seconds since the epoch. */
  created_at: number;
  updated_at: number;
}

export function toTransactionResponse(row: TransactionRow): TransactionResponse {
  const { amount_minor: minor, reported_minor: reported, currency } = row;
  return {
    id: row.id,
    date: row.date,
    amount: amountText(minor, currency),
    amount_cents: minor,
    reported_amount: amountText(reported, currency),
    reported_amount_cents: reported,
    currency,
    description: row.description,
    merchant: row.merchant,
    pending: row.pending,
    account: { id: row.account_id, name: row.account_name },
    created_at: instantText(row.created_at),
    updated_at: instantText(row.updated_at),
  };
}

const COLUMNS = [
  'id',
  'date',
  'amount',
  'amount_cents',
  'currency',
  'description',
  'merchant',
  'pending',
  'account_id',
  'account_name',
  'created_at',
  'updated_at',
  'reported_amount',
  'reported_amount_cents',
] as const;

/** Where the currency is no code, the text of an amount begins with the bank's own word. */
const amountCell = (amount: string, currency: string) =>
  formulaSafe(currency) === currency ? amount : formulaSafe(amount);

/** The fields of the list, with those of the account. Text of banks is protected from being read as a formula. */
export const TRANSACTION_EXPORT: Exportable<TransactionRow> = {
  name: 'transactions',
  toItem: toTransactionResponse,
  columns: COLUMNS,
  toLine: (row) => {
    const transaction = toTransactionResponse(row);
    const { account, currency } = transaction;
    const cells = {
      ...transaction,
      amount: amountCell(transaction.amount, currency),
      reported_amount: amountCell(transaction.reported_amount, currency),
      currency: formulaSafe(currency),
      description: formulaSafe(transaction.description),
      merchant: transaction.merchant === null ? null : formulaSafe(transaction.merchant),
      account_id: account.id,
      account_name: formulaSafe(account.name),
    };
    return csvLine(COLUMNS.map((column) => cells[column]));
  },
};

export const TRANSACTION_EXAMPLE: TransactionRow = {
  id: '0a4f2c57-9d3e-4b8a-8f61-7c2d5e9b1a34',
  date: '2026-03-02',
  amount_minor: -6420,
  reported_minor: -6420,
  currency: 'USD',
  description: 'CITY WATER AUTOPAY',
  merchant: 'City Water',
  pending: false,
  account_id: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90',
  account_name: 'Everyday Checking',
  created_at: 1772432224.211,
  updated_at: 1772432224.211,
};
