import { MAX_SEARCH_CHARS } from '../../accounts/transactions/list-transactions.query.js';
import { type CalendarDate, isCalendarDate } from '../../time/calendar-date.js';
import { type FormBody, textOf } from '../components/form-body.js';

const PER_PAGE = 25;

/** What a person looks for; what makes no sense is as if not given. */
export interface TransactionFilter {
  search: string;
  /** `null`: from the beginning. */
  from: CalendarDate | null;
  /** `null`: until the end. */
  to: CalendarDate | null;
  page: number;
}

export function readTransactionFilter(query: FormBody): TransactionFilter {
  const dateOf = (name: string) => (isCalendarDate(textOf(query, name)) ? textOf(query, name) : null);
  const page = Number(textOf(query, 'page'));
  return {
    search: textOf(query, 'search').slice(0, MAX_SEARCH_CHARS),
    from: dateOf('from'),
    to: dateOf('to'),
    page: Number.isSafeInteger(page) && page > 0 && page < 1_000_000 ? page : 1,
  };
}

export function filterQuery(accountId: string, { search, from, to, page }: TransactionFilter) {
  return {
    ...{ account_id: accountId, page, per_page: PER_PAGE },
    ...(search && { search }),
    ...(from && { start_date: from }),
    ...(to && { end_date: to }),
  };
}

export function isFiltered({ search, from, to }: TransactionFilter): boolean {
  return search !== '' || from !== null || to !== null;
}

export function pageCount(totalCount: number): number {
  return Math.max(1, Math.ceil(totalCount / PER_PAGE));
}

/** The address of a page of the same list. */
export function pageHref(accountId: string, filter: TransactionFilter, page: number): string {
  const { search, from, to } = filter;
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
    page: String(page),
  });
  return `/accounts/${accountId}?${query.toString()}`;
}
