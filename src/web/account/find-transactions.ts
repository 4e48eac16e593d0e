import type { TransactionsRepository } from '../../accounts/transactions/transactions.repository.js';
import { filterQuery, pageCount, type TransactionFilter } from './transaction-filter.js';

/**
 * A page of found transactions; the last one if the page number is too high.
 *
 * @param accountId `null`: in all accounts
 */
export async function findTransactions(
  transactions: TransactionsRepository,
  userId: string,
  accountId: string | null,
  filter: TransactionFilter,
) {
  const [found, pending] = await Promise.all([
    transactions.listPage(userId, filterQuery(accountId, filter)),
    transactions.pendingTotals(userId, accountId),
  ]);
  const last = pageCount(found.totalCount);
  if (filter.page <= last) return { ...found, pending, filter };
  const onLast = { ...filter, page: last };
  return { ...(await transactions.listPage(userId, filterQuery(accountId, onLast))), pending, filter: onLast };
}
