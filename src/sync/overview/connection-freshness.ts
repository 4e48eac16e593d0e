import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';

/** Banks refresh about once a day, and some list transactions a day late. */
export const FRESH_DAYS = 2;

export const STALENESS_LEVELS = ['never', 'fresh', 'stale'] as const;

export interface Staleness {
  /** `never`: not synced yet; `stale`: some account is not complete up to two days ago. */
  level: (typeof STALENESS_LEVELS)[number];
  /** The day up to which all accounts are complete; `null`: not synced yet. */
  since: CalendarDate | null;
  /** For a person; `null`: fresh. */
  message: string | null;
}

/** What staleness needs to know of a listed account. */
interface ListedAccount {
  name: string;
  /** The day up to which its transactions have no gap; `null`: there is a gap from the beginning. */
  completeUntil: CalendarDate | null;
  /** The day it was first seen. */
  firstSeen: CalendarDate;
}

/**
 * The staleness of a connection, which is that of its oldest account: a sync that brings five banks of six must not
 * hide the sixth.
 */
export function staleness(
  lastSyncedAt: Date | null,
  accounts: readonly ListedAccount[],
  today: CalendarDate,
): Staleness {
  if (!lastSyncedAt) return { level: 'never', since: null, message: 'Nothing has been synced yet.' };
  const syncedOn = lastSyncedAt.toISOString().slice(0, 10);
  const lastRun = { since: syncedOn, message: `No new data since ${syncedOn}.` };
  const oldest = accounts
    .map(({ name, completeUntil, firstSeen }) => {
      const since = completeUntil ?? firstSeen;
      return { since, message: `“${name}” has been incomplete since ${since}.` };
    })
    .reduce((found, next) => (next.since < found.since ? next : found), lastRun);
  const isFresh = oldest.since >= addDays(today, -FRESH_DAYS);
  return isFresh ? { level: 'fresh', since: oldest.since, message: null } : { level: 'stale', ...oldest };
}
