import { addDays, type CalendarDate } from '../../time/calendar-date.js';

/** Banks refresh about once a day and some list a day late: what is older than this is late. */
const FRESH_DAYS = 2;

export const STALENESS_LEVELS = ['never', 'fresh', 'stale'] as const;

export interface Staleness {
  /** `never`: nothing has come yet; `stale`: some account has had nothing complete for more than two days. */
  level: (typeof STALENESS_LEVELS)[number];
  /** The day up to which every account is known; `null` when nothing has come yet. */
  since: CalendarDate | null;
  /** For a person; `null` when all is fresh. */
  message: string | null;
}

/** What staleness depends on, of an account that the provider still lists. */
export interface SyncedAccount {
  name: string;
  /** The day up to which its transactions are known without a gap; `null`: there was one from the beginning. */
  completeUntil: CalendarDate | null;
  /** The day it was first seen. */
  firstSeen: CalendarDate;
}

/**
 * How old the data of a connection are: as old as those of its oldest account, since a sync that brings five banks of
 * six is no reason to believe the sixth.
 */
export function staleness(
  lastSyncedAt: Date | null,
  accounts: readonly SyncedAccount[],
  today: CalendarDate,
): Staleness {
  if (!lastSyncedAt) return { level: 'never', since: null, message: 'Nothing has been synced yet.' };
  const syncedOn = lastSyncedAt.toISOString().slice(0, 10);
  const lastRun = { since: syncedOn, message: `Nothing has come in since ${syncedOn}.` };
  const oldest = accounts
    .map(({ name, completeUntil, firstSeen }) => {
      const since = completeUntil ?? firstSeen;
      return { since, message: `“${name}” has not come in completely since ${since}.` };
    })
    .reduce((found, next) => (next.since < found.since ? next : found), lastRun);
  const isFresh = oldest.since >= addDays(today, -FRESH_DAYS);
  return isFresh ? { level: 'fresh', since: oldest.since, message: null } : { level: 'stale', ...oldest };
}
