import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { currencyCode } from '../money/currency.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { ContentKeys, mapTransaction } from './mapper.js';
import { readTransaction, type WireTransactions } from './payload.js';

export interface RowsWanted {
  /** ISO 4217 code of the account; `null`: not known. */
  currency: string | null;
  /** The first day wanted: some servers do not care what was asked for. */
  from: CalendarDate;
  includePending: boolean;
}

/** The transactions of one answer. */
export interface AnswerRows {
  rows: SnapshotTransaction[];
  /** How many more could not be read. */
  unreadable: number;
  /** How many it holds, wanted or not. */
  count: number;
  /** How many there are, as it says. */
  total: number;
}

export function answerRows({ transactions, total }: WireTransactions, wanted: RowsWanted): AnswerRows {
  const keys = new ContentKeys();
  const rows: SnapshotTransaction[] = [];
  let unreadable = 0;
  for (const item of transactions) {
    const { value: wire } = readTransaction(item);
    const row = wire && mapTransaction(wire, wanted.currency, keys);
    if (!row) unreadable++;
    else if (row.date >= wanted.from && (!row.pending || wanted.includePending)) rows.push(row);
  }
  return { rows, unreadable, count: transactions.length, total: total ?? transactions.length };
}

/** The currency that all rows agree on, for an account that does not tell its own. */
export function commonCurrency({ transactions }: WireTransactions): string | null {
  const codes = new Set(transactions.map((item) => currencyCode(readTransaction(item).value?.currency)));
  const [only = null] = codes;
  return codes.size === 1 ? only : null;
}
