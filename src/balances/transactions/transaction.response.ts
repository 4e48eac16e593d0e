import { AccountReference } from '../accounts/account-reference.response.js';
import { Amount, Day, exportOf, Flag, Group, Id, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';
import { TRANSACTION_SOURCES, type TransactionSource } from './transaction.entity.js';

export class TransactionResponse {
  @Id({ description: 'Stays when a pending transaction is posted, and when the bank changes it.' })
  id: string;

  @Day({ description: 'Posted: the posting day. Pending: the day it was made. Or the day that you have set.' })
  date: string;

  @Amount({
    example: -6420,
    description:
      'Negative = out of the account: a purchase, on a card as well. Positive = into it: a payment of a debt.',
  })
  amount: string;
  amount_cents: number;

  @Amount({
    from: 'reported_minor',
    example: -6420,
    description:
      'As the bank lists it, whatever you have set. Its sign differs where the balances show that the bank lists the opposite sign.',
  })
  reported_amount: string;
  reported_amount_cents: number;

  @Day({ description: 'As the bank lists it, whatever you have set.' })
  reported_date: string;

  @Text({ example: 'USD', description: "May differ from the account's; then it is not part of the history." })
  currency: string;

  @Text({ example: 'CITY WATER AUTOPAY' })
  description: string;

  @Text({ nullable: true, example: 'City Water' })
  merchant: string | null;

  @Flag({ description: 'Authorised but not posted yet: shown, never counted.' })
  pending: boolean;

  @OneOf(TRANSACTION_SOURCES, {
    description: 'Who lists it: the bank, a file that you have imported, or you yourself (`person`).',
  })
  source: TransactionSource;

  @Flag({ example: false, description: 'You have left it out: shown, never counted.' })
  excluded: boolean;

  @Flag({
    example: false,
    description: 'You have left it out, or its date or amount is yours and differs from what is listed.',
  })
  corrected: boolean;

  @Text({ nullable: true, example: null, description: 'Yours.' })
  note: string | null;

  @Group(AccountReference)
  account: AccountReference;

  @Moment()
  created_at: string;

  @Moment()
  updated_at: string;
}

export class TransactionCollection {
  @List(TransactionResponse)
  transactions: TransactionResponse[];

  @Group(Pagination)
  pagination: Pagination;

  @Text({
    required: false,
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

export const toTransactionResponse: (row: TransactionRow) => TransactionResponse = responseOf(TransactionResponse);

/** The fields of the list, with those of the account. */
export const TRANSACTION_EXPORT = exportOf('transactions', TransactionResponse, toTransactionResponse, [
  'reported_amount',
  'reported_date',
  'source',
  'excluded',
  'corrected',
  'note',
]);

export const TRANSACTION_EXAMPLE: TransactionRow = {
  id: '0a4f2c57-9d3e-4b8a-8f61-7c2d5e9b1a34',
  date: '2026-03-02',
  amount_minor: -6420,
  reported_minor: -6420,
  reported_date: '2026-03-02',
  currency: 'USD',
  description: 'CITY WATER AUTOPAY',
  merchant: 'City Water',
  pending: false,
  source: 'bank',
  excluded: false,
  corrected: false,
  note: null,
  account_id: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90',
  account_name: 'Everyday Checking',
  created_at: 1772432224.211,
  updated_at: 1772432224.211,
};
