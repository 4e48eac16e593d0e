import { isCalendarDate, type CalendarDate } from '../../src/platform/time/calendar-date.js';

/** The parameters of an account's transactions. Both days are inclusive; `null`: open. */
export interface RequestedTransactions {
  from: CalendarDate | null;
  to: CalendarDate | null;
  includePending: boolean;
}

/** Reads the parameters, of which unknown ones have no effect; `null` for a date that is none. */
export function readTransactionsQuery(parameters: URLSearchParams): RequestedTransactions | null {
  const [from, to] = [parameters.get('from'), parameters.get('to')];
  if ([from, to].some((date) => date !== null && !isCalendarDate(date))) return null;
  return { from, to, includePending: parameters.get('include_pending') === 'true' };
}
