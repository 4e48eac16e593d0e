import type { SnapshotAccount, SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';

/** A transaction of an answer, or one that is stored. */
export type Row = Omit<SnapshotTransaction, 'moment'>;

/** A stored transaction, or the newest version of a withdrawn one. */
export interface StoredRow extends Row {
  id: string;
  isWithdrawn: boolean;
  holdExternalId: string | null;
  /** In Unix milliseconds. */
  missingSince: number | null;
  /** The day on which it was first stored. */
  storedOn: CalendarDate;
  /** Texts, because they are more exact than a `Date`. */
  firstSeenAt: string;
  createdAt: string;
}

/** The part of an answer that is a list of transactions. */
export type Listing = Pick<SnapshotAccount, 'transactions' | 'coveredFrom' | 'complete' | 'unreadableRows'>;

const LAST_DATE = '9999-12-31';

/** The first day of which an answer says anything. */
export function firstDayOf({ transactions, coveredFrom }: Pick<Listing, 'transactions' | 'coveredFrom'>): CalendarDate {
  return transactions.reduce((first, { date }) => (date < first ? date : first), coveredFrom ?? LAST_DATE);
}
