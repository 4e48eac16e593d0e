import { hash } from 'node:crypto';
import { currencyCode } from '../../platform/money/currency.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import type { SnapshotTransaction } from '../bank-provider.js';
import { isBeyondLimit, lineOf, minorOf, rowCurrency, type WireText, type Written } from '../read-values.js';
import { LeftOutRows, type WindowRows } from '../transaction-history.js';

const MAX_DESCRIPTION_CHARS = 500;

/** A transaction in the words of its vendor. */
export interface RawTransaction {
  /** `null`: none, as of a pending one. */
  id: string | null;
  /** Of the account that the row names, if it names one. */
  accountId?: string | null;
  /** Decimal text. */
  amount: string;
  currency: WireText;
  /** `null`: no date that can be read, which may be guessed. */
  written: Written | null;
  description: WireText;
  merchant: WireText;
  pending: boolean;
  /** Of a posted one: the id that it had while pending, where the vendor says so. */
  pendingId?: string | null;
}

/** The items of an answer about one account, and what is wanted of them. */
export interface RowsWanted {
  items: readonly unknown[];
  /** `null`: the item cannot be read. */
  read: (item: unknown) => RawTransaction | null;
  /** ISO 4217 code for rows without a currency; `null`: unknown. */
  currency: string | null;
  /** Whether the account is in a currency without minor units, so that its rows are only counted. */
  isUnsupported?: boolean;
  /** The account that was asked for; absent: rows name none. */
  accountId?: string;
  /** The first day wanted, because some servers return older rows; absent: any. */
  from?: CalendarDate;
  /** Dates a row that has an id and no date. */
  today: CalendarDate;
  includePending: boolean;
}

/** Reads the transactions of one account in an answer. What cannot be read is counted. */
export function readRows(wanted: RowsWanted): Required<Omit<WindowRows, 'leavesGap'>> {
  const keys = new ContentKeys();
  const rows: SnapshotTransaction[] = [];
  const [unreadable, foreign, unsupported] = [new LeftOutRows(), new LeftOutRows(), new LeftOutRows()];
  for (const item of wanted.items) {
    // Amounts of points and miles cannot be stored, which is no fault of the rows.
    const raw = wanted.isUnsupported ? null : wanted.read(item);
    if (wanted.isUnsupported) unsupported.add(item);
    else if (raw && namesOther(raw, wanted.accountId)) foreign.add(item);
    else {
      const row = raw && readRow(raw, wanted, keys);
      if (!row) unreadable.add(item, isBeyondLimit(raw?.amount, rowCurrency(raw?.currency, wanted.currency)));
      else if (row.date >= (wanted.from ?? '') && (!row.pending || wanted.includePending)) rows.push(row);
    }
  }
  return { rows, unreadable, foreign, unsupported };
}

/** The currency of all rows of an account that nothing else gives one; `null`: they differ, or there is none. */
export function commonCurrency({
  items,
  read,
  accountId,
}: Pick<RowsWanted, 'items' | 'read' | 'accountId'>): string | null {
  const own = items.map(read).filter((raw) => !raw || !namesOther(raw, accountId));
  const [only = null, ...others] = new Set(own.map((raw) => currencyCode(raw?.currency)));
  return others.length === 0 ? only : null;
}

function namesOther({ accountId }: RawTransaction, wanted: string | undefined): boolean {
  return wanted !== undefined && typeof accountId === 'string' && accountId.trim() !== wanted.trim();
}

/**
 * @returns `null`: an amount or a currency that cannot be read, because a foreign amount is never counted 1:1; or a row
 * that could not be recognised later
 */
function readRow(
  raw: RawTransaction,
  { currency: usual, today }: RowsWanted,
  keys: ContentKeys,
): SnapshotTransaction | null {
  const { id, written, pending } = raw;
  const currency = rowCurrency(raw.currency, usual);
  const amountMinor = currency === null ? null : minorOf(raw.amount, currency);
  if (currency === null || amountMinor === null || (!id && (!pending || !written))) return null;
  const merchant = lineOf(raw.merchant);
  const description = lineOf(raw.description, MAX_DESCRIPTION_CHARS) ?? merchant ?? '';
  const dated = written ?? { date: today, dateIsGuess: true as const };
  const content = { ...dated, amountMinor, currency, description, merchant };
  const link = raw.pendingId ? { pendingId: raw.pendingId } : {};
  return { externalId: id || keys.next(content), ...content, pending, ...link };
}

/**
 * Makes ids for the pending rows of one answer that have none: a hash of the content, and the number of equal rows
 * before it, because two equal rows are two purchases. The same answer always gives the same ids.
 */
class ContentKeys {
  readonly #seen = new Map<string, number>();

  next(row: Omit<SnapshotTransaction, 'externalId' | 'pending'>): string {
    const content = JSON.stringify([row.date, row.amountMinor, row.currency, row.merchant, row.description]);
    const digest = hash('sha256', content, 'base64url').slice(0, 22);
    const occurrence = (this.#seen.get(digest) ?? 0) + 1;
    this.#seen.set(digest, occurrence);
    return `pending-${digest}-${occurrence}`;
  }
}
