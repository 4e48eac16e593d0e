import type { EventType } from '../../platform/module.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** The kinds of records in the change log: the lists of the API. */
export const CHANGE_KINDS = ['accounts', 'balances', 'connections', 'holdings', 'syncs', 'transactions'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The scope that reads a kind of record. */
export function scopeOfKind(kind: ChangeKind): `${Exclude<ChangeKind, 'syncs'>}:read` {
  return `${kind === 'syncs' ? 'connections' : kind}:read`;
}

/** Records of money. Syncs and connections also change when these do not. */
export const RECORD_KINDS: readonly ChangeKind[] = ['accounts', 'balances', 'holdings', 'transactions'];

/** Events of the records that a transaction changes. */
export type ChangeEvent = Exclude<EventType, `${string}.changed`>;

/**
 * A part of a person's data that a transaction inserted, changed or deleted. Each optional member narrows it down; an
 * absent one means all.
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
  /** What has happened to the records with these ids; missing: they have changed, and no more. */
  event?: ChangeEvent;
}

/**
 * Everything that the lists show of an account: each of its records includes its name.
 *
 * @param event what has happened to it
 */
export function everythingOf(accountId: string, event?: ChangeEvent): Change[] {
  return [
    { kind: 'accounts', ids: [accountId], ...(event && { event }) },
    { kind: 'balances', accountId },
    { kind: 'holdings', accountId },
    { kind: 'transactions', accountId },
  ];
}
