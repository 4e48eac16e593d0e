import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { currencyCode } from '../money/currency.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { WorkSlices } from '../time/work-slices.js';
import { ContentKeys, mapTransaction } from './mapper.js';
import { readTransaction, type WireTransactions } from './payload.js';

export interface RowsWanted {
  /** ISO 4217 code of the account; `null`: unknown. */
  currency: string | null;
  /** The first day wanted; some servers return older rows. */
  from: CalendarDate;
  includePending: boolean;
}

/** The transactions of one answer. */
export interface AnswerRows {
  rows: SnapshotTransaction[];
  /** How many more could not be read. */
  unreadable: number;
  /** How many the answer has, wanted or not. */
  count: number;
  /** How many the provider has, as the answer says. */
  total: number;
}

export async function answerRows(
  { transactions, total }: WireTransactions,
  wanted: RowsWanted,
  signal: AbortSignal,
): Promise<AnswerRows> {
  const slices = new WorkSlices(signal);
  const keys = new ContentKeys();
  const rows: SnapshotTransaction[] = [];
  let unreadable = 0;
  for (const item of transactions) {
    if (slices.isOver) await slices.giveWay();
    const { value: wire } = readTransaction(item);
    const row = wire && mapTransaction(wire, wanted.currency, keys);
    if (!row) unreadable++;
    else if (row.date >= wanted.from && (!row.pending || wanted.includePending)) rows.push(row);
  }
  return { rows, unreadable, count: transactions.length, total: total ?? transactions.length };
}

/** The currency of all rows, for an account without one; `null`: they differ. */
export async function commonCurrency({ transactions }: WireTransactions, signal: AbortSignal): Promise<string | null> {
  const slices = new WorkSlices(signal);
  const codes = new Set<string | null>();
  for (const item of transactions) {
    if (slices.isOver) await slices.giveWay();
    codes.add(currencyCode(readTransaction(item).value?.currency));
    if (codes.size > 1) return null;
  }
  const [only = null] = codes;
  return only;
}
