import { EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';
import type { ChangedRecords, EventType, Part } from '../../platform/module.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

const CORE_KINDS = ['accounts', 'balances', 'connections', 'holdings', 'syncs', 'transactions'] as const;
/** A kind of records in the change log: a list of the API. Modules add theirs. */
export type ChangeKind = (typeof CORE_KINDS)[number] | (string & {});

/** All of them, once the parts are declared. */
export const CHANGE_KINDS: ChangeKind[] = [...CORE_KINDS];

/** Those of modules, by kind. */
export const RECORDS_OF_MODULES = new Map<string, ChangedRecords>();

/**
 * Adds the kinds of these parts.
 *
 * @throws StartupError where two have one of the same name
 */
export function declareKinds(parts: readonly Part[]): void {
  for (const { name, changes = [] } of parts) {
    for (const records of changes) {
      const { kind } = records;
      if (RECORDS_OF_MODULES.get(kind) === records) continue;
      if (CHANGE_KINDS.includes(kind)) {
        throw new StartupError(
          `The change feed has ${kind} already: call those of ${name} something else.`,
          EXIT_CONFIG,
        );
      }
      CHANGE_KINDS.push(kind);
      RECORDS_OF_MODULES.set(kind, records);
    }
  }
}

/** The scope that reads a kind of record. */
export function scopeOfKind(kind: ChangeKind): string {
  return RECORDS_OF_MODULES.get(kind)?.scope ?? `${kind === 'syncs' ? 'connections' : kind}:read`;
}

/** These also change when no list of records does. */
export const SYNC_KINDS: readonly ChangeKind[] = ['connections', 'syncs'];

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
