import type { SnapshotRequest, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { currencyCode } from '../money/currency.js';
import { isBeyondLimit, rowCurrency } from '../bank-provider/read-values.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { ContentKeys, mapTransaction } from './mapper.js';
import { readTransaction, type WireTransaction, type WireTransactions } from './payload.js';
import { LeftOutRows, type Window, type WindowRows } from '../bank-provider/transaction-history.js';
import { halvesOf } from './windows.js';

interface RowsWanted {
  /** The account asked for, by its id with the provider. */
  accountId: string;
  /** ISO 4217 code of the account; `null`: unknown. */
  currency: string | null;
  /** The first day wanted; some servers return older rows. */
  from: CalendarDate;
  includePending: boolean;
}

/** The transactions of one answer. */
export interface AnswerRows {
  rows: SnapshotTransaction[];
  /** More, which could not be read. */
  unreadable: LeftOutRows;
  /** More, which name another account. */
  foreign: LeftOutRows;
  /** How many the answer has, wanted or not. */
  count: number;
  /** How many the provider has, as the answer says. */
  total: number;
}

export function answerRows({ transactions, total }: WireTransactions, wanted: RowsWanted): AnswerRows {
  const keys = new ContentKeys();
  const rows: SnapshotTransaction[] = [];
  const unreadable = new LeftOutRows();
  const foreign = new LeftOutRows();
  for (const item of transactions) {
    const { value: wire } = readTransaction(item);
    if (wire && isForeign(wire, wanted.accountId)) {
      foreign.add(item);
      continue;
    }
    const row = wire && mapTransaction(wire, wanted.currency, keys);
    if (!row) unreadable.add(item, isBeyondLimit(wire?.amount, rowCurrency(wire?.currency, wanted.currency)));
    else if (row.date >= wanted.from && (!row.pending || wanted.includePending)) rows.push(row);
  }
  return { rows, unreadable, foreign, count: transactions.length, total: total ?? transactions.length };
}

function isForeign(wire: WireTransaction, accountId: string): boolean {
  const named = wire.accountId ?? wire.account_id ?? null;
  return named !== null && named.trim() !== accountId.trim();
}

/** The rows of an account in a currency without a minor unit, which are only counted. */
export function unsupportedRows({ transactions }: WireTransactions, leavesGap: boolean): WindowRows {
  const unsupported = new LeftOutRows();
  for (const item of transactions) unsupported.add(item);
  return { rows: [], unreadable: new LeftOutRows(), unsupported, leavesGap };
}

/** The currency of all rows of an account that no answer has given one; `null`: they differ. */
export function commonCurrency({ transactions }: WireTransactions, accountId: string): string | null {
  const codes = new Set<string | null>();
  for (const item of transactions) {
    const { value: wire } = readTransaction(item);
    if (wire && isForeign(wire, accountId)) continue;
    codes.add(currencyCode(wire?.currency));
    if (codes.size > 1) return null;
  }
  const [only = null] = codes;
  return only;
}

type FetchWindow = (window: Window, includePending: boolean) => Promise<AnswerRows>;

/**
 * Fetches all transactions of a window. The provider has no pages, so the halves of the window are fetched when an
 * answer says that it is cut. Some servers count pending transactions that they were not asked for, so these are fetched
 * along first.
 */
export async function wholeWindow(
  window: Window,
  { today, includePending }: Pick<SnapshotRequest, 'today' | 'includePending'>,
  fetchWindow: FetchWindow,
): Promise<WindowRows> {
  const fetchAll = (part: Window) => fetchWindow(part, true);
  const answer = await fetchWindow(window, includePending);
  const mayHide = isCut(answer) && !includePending;
  return split(window, mayHide ? await fetchAll(window) : answer, today, fetchAll);
}

async function split(
  window: Window,
  answer: AnswerRows,
  today: CalendarDate,
  fetchWindow: (window: Window) => Promise<AnswerRows>,
): Promise<WindowRows> {
  const { rows, unreadable, foreign } = answer;
  const halves = isCut(answer) ? halvesOf(window, today) : null;
  if (!halves) return { rows, unreadable, foreign, leavesGap: isCut(answer) };
  const leaveOutToo = (other: Pick<WindowRows, 'unreadable' | 'foreign'>) => {
    unreadable.merge(other.unreadable);
    if (other.foreign) foreign.merge(other.foreign);
  };
  const [newer, older] = halves;
  const answers = [await fetchWindow(newer), await fetchWindow(older)] as const;
  for (const half of answers) leaveOutToo(half);
  if (!hasNewRows(answer, answers) && !isCutAgain(answer, answers)) {
    return { rows, unreadable, foreign, leavesGap: false };
  }
  const parts = [
    await split(newer, answers[0], today, fetchWindow),
    await split(older, answers[1], today, fetchWindow),
  ];
  for (const part of parts) leaveOutToo(part);
  return {
    rows: [rows, ...parts.map((part) => part.rows)].flat(),
    unreadable,
    foreign,
    leavesGap: parts.some(({ leavesGap }) => leavesGap),
  };
}

/** A list is not cut down to nothing: then the total counts something else. */
function isCut({ total, count }: AnswerRows): boolean {
  return count > 0 && total > count;
}

function hasNewRows({ rows }: AnswerRows, halves: readonly AnswerRows[]): boolean {
  const known = new Set(rows.map(({ externalId }) => externalId));
  return halves.some((half) => half.rows.some(({ externalId }) => !known.has(externalId)));
}

/**
 * All returned rows may lie in one half, which is then cut at the same length. Some servers only count too many: then
 * the totals of the halves do not add up to that of the whole, or the halves are cut shorter.
 */
function isCutAgain({ total, count }: AnswerRows, halves: readonly AnswerRows[]): boolean {
  const isSameCount = halves.reduce((sum, half) => sum + half.total, 0) === total;
  return isSameCount && halves.some((half) => isCut(half) && half.count >= count);
}
