import { MAX_SEARCH_CHARS } from '../../accounts/account-filter.query.js';
import type { TransactionsRepository } from '../../accounts/transactions/transactions.repository.js';
import { type CalendarDate, isCalendarDate } from '../../time/calendar-date.js';
import { readPage } from '../components/pager.js';
import { type Fields, textOf } from '../components/form-fields.js';

const PER_PAGE = 25;
/** What the chart of an account's page shows. */
const KEPT = ['view', 'range'];
/** The values of the form; an empty one is both. */
const PENDING = new Map([
  ['true', true],
  ['false', false],
]);

/** The filters of a transaction list. */
export interface TransactionFilter {
  search: string;
  /** What was typed for the days, also if it is invalid. */
  typed: { from: string; to: string };
  /** `null`: from the beginning. */
  from: CalendarDate | null;
  /** `null`: until the end. */
  to: CalendarDate | null;
  /** `null`: both. */
  pending: boolean | null;
  /** What the address says of the other parts of the page. */
  kept: readonly (readonly [name: string, text: string])[];
  /** Why the days are invalid and were ignored. `null`: they are valid. */
  error: string | null;
}

function readTransactionFilter(query: Fields): TransactionFilter {
  const typed = { from: textOf(query, 'from'), to: textOf(query, 'to') };
  const error = errorOf(typed.from, typed.to);
  const dayOf = (text: string) => (error === null && text !== '' ? text : null);
  return {
    search: textOf(query, 'search').slice(0, MAX_SEARCH_CHARS),
    typed,
    from: dayOf(typed.from),
    to: dayOf(typed.to),
    error,
    pending: PENDING.get(textOf(query, 'pending')) ?? null,
    kept: KEPT.map((name) => [name, textOf(query, name)] as const).filter(([, text]) => text !== ''),
  };
}

function errorOf(from: string, to: string): string | null {
  if ([from, to].some((text) => text !== '' && !isCalendarDate(text))) return 'Enter valid dates.';
  return from !== '' && to !== '' && from > to ? '“From” must not be later than “To”.' : null;
}

/**
 * The page of transactions that an address names.
 *
 * @param accountId `null`: in all accounts
 */
export async function findTransactions(
  transactions: TransactionsRepository,
  userId: string,
  accountId: string | null,
  query: Fields,
) {
  const filter = readTransactionFilter(query);
  const { search, from, to, pending: isPending } = filter;
  const wanted = {
    ...(accountId !== null && { account_id: [accountId] }),
    ...(search && { search }),
    ...(from && { start_date: from }),
    ...(to && { end_date: to }),
    ...(isPending !== null && { pending: isPending }),
  };
  const [found, pending] = await Promise.all([
    readPage(textOf(query, 'page'), PER_PAGE, (page) => transactions.listPage(userId, { ...wanted, ...page })),
    transactions.pendingTotals(userId, accountId),
  ]);
  return { ...found, pending, filter };
}

export function isFiltered({ search, from, to, pending }: TransactionFilter): boolean {
  return search !== '' || from !== null || to !== null || pending !== null;
}

/** The address of the list at `path` without this filter. */
export function unfilteredHref(path: string, { kept }: TransactionFilter, pending: boolean | null = null): string {
  return pageHref(path, { ...readTransactionFilter({}), kept, pending }, 1);
}

/** The address of a page of the same list at `path`. */
export function pageHref(path: string, filter: TransactionFilter, page: number): string {
  const { search, typed, pending, kept } = filter;
  const query = new URLSearchParams({
    ...Object.fromEntries(kept),
    ...(search && { search }),
    ...(typed.from && { from: typed.from }),
    ...(typed.to && { to: typed.to }),
    ...(pending !== null && { pending: String(pending) }),
    page: String(page),
  });
  return `${path}?${query.toString()}`;
}
