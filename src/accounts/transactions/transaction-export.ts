import { csvLine, formulaSafe } from '../../http/export/csv.js';
import type { Exportable } from '../../http/export/record-export.service.js';
import { toTransactionResponse, type TransactionResponse, type TransactionRow } from './transaction.response.js';

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
] as const;

/** Where the currency is no code, the text of an amount begins with the bank's own word. */
const amountCell = ({ amount, currency }: TransactionResponse) =>
  formulaSafe(currency) === currency ? amount : formulaSafe(amount);

/** The fields of the list, with those of the account. Text of banks is protected from being read as a formula. */
export const TRANSACTION_EXPORT: Exportable<TransactionRow> = {
  name: 'transactions',
  toItem: toTransactionResponse,
  columns: COLUMNS,
  toLine: (row) => {
    const transaction = toTransactionResponse(row);
    const { account } = transaction;
    const cells = {
      ...transaction,
      amount: amountCell(transaction),
      currency: formulaSafe(transaction.currency),
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
  currency: 'USD',
  description: 'CITY WATER AUTOPAY',
  merchant: 'City Water',
  pending: false,
  account_id: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90',
  account_name: 'Everyday Checking',
  created_at: 1772432224.211,
  updated_at: 1772432224.211,
};
