import type { CalendarDate } from '../time/calendar-date.js';

/** What a part of the change log is about: the lists of the API that it changes. */
export const CHANGE_KINDS = ['accounts', 'balances', 'connections', 'holdings', 'syncs', 'transactions'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Those that change when money does; syncs and connections also change while nothing comes of them. */
export const RECORD_KINDS: readonly ChangeKind[] = ['accounts', 'balances', 'holdings', 'transactions'];

/**
 * A part of a person's data that a transaction has changed, added to or removed from. Of the members that could narrow it
 * down, those that are missing mean: all of them.
 */
export interface Change {
  kind: ChangeKind;
  /** Balances, holdings or transactions of this account only. */
  accountId?: string;
  /** Balances of these days only, both inclusive. */
  from?: CalendarDate;
  to?: CalendarDate;
  /** Records with these ids only. */
  ids?: readonly string[];
}

/** Everything that the lists show of an account, since its name stands in every record. */
export function everythingOf(accountId: string): Change[] {
  return [
    { kind: 'accounts', ids: [accountId] },
    { kind: 'balances', accountId },
    { kind: 'holdings', accountId },
    { kind: 'transactions', accountId },
  ];
}
