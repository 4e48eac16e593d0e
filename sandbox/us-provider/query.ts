import {
  dateOfUnixSeconds,
  daysBetween,
  unixSecondsOf,
  type CalendarDate,
} from '../../src/platform/time/calendar-date.js';

/** The parameters of `/accounts`. Instants in Unix seconds. */
export interface AccountsQuery {
  /** Inclusive; `null`: not given. */
  startAt: number | null;
  /** Exclusive. */
  endAt: number | null;
  pending: boolean;
  balancesOnly: boolean;
  /** Empty: all of them. */
  accountIds: readonly string[];
  version: 1 | 2;
}

/** The part of the requested range that is answered, with notices about it. */
export interface AnsweredWindow {
  startAt: number;
  endAt: number;
  notice: string | null;
}

export const CAPPED_NOTICE = 'Requested date range exceeds limit of 90 days and was capped.';
export const ADVICE_NOTICE = 'Requested date range exceeds the recommended range of 45 days and may be capped.';

export interface WindowLimits {
  adviceDays: number;
  capDays: number;
}

const DAY_SECONDS = 86_400;

/** Reads the parameters of `/accounts`; `null` when they ask for a version that does not exist. */
export function readAccountsQuery(parameters: URLSearchParams): AccountsQuery | null {
  const version = parameters.get('version') ?? '1';
  if (version !== '1' && version !== '2') return null;
  return {
    startAt: unixSeconds(parameters.get('start-date')),
    endAt: unixSeconds(parameters.get('end-date')),
    // Only presence counts: `pending=0` asks for them, too.
    pending: parameters.has('pending'),
    balancesOnly: parameters.has('balances-only'),
    accountIds: parameters.getAll('account'),
    version: version === '1' ? 1 : 2,
  };
}

/**
 * From 90 elapsed days the oldest part is cut, and from 45 calendar days there is advice. An open end counts as today.
 */
export function answeredWindow(
  startAt: number,
  endAt: number | null,
  today: CalendarDate,
  { adviceDays, capDays }: WindowLimits,
): AnsweredWindow {
  const end = endAt ?? unixSecondsOf(today);
  const window = { startAt, endAt: endAt ?? Infinity };
  if (end - startAt >= capDays * DAY_SECONDS) {
    return { ...window, startAt: end - capDays * DAY_SECONDS, notice: CAPPED_NOTICE };
  }
  const calendarDays = daysBetween(dateOfUnixSeconds(startAt), dateOfUnixSeconds(end));
  return { ...window, notice: calendarDays >= adviceDays ? ADVICE_NOTICE : null };
}

/** Anything but a whole number of seconds within the calendar counts as not given. */
function unixSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,11}$/.test(text) ? Number(text) : null;
}
