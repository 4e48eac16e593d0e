import { foreignCurrencyText } from '../accounts/foreign-currencies.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import type { IngestProblem } from './ingest-problem.js';

/**
 * Posted transactions in another currency than the account's become a warning: they are stored, and never counted 1:1.
 */
export function foreignCurrencyProblems(
  { externalId, name, currency: own, transactions }: SnapshotAccount,
  accountId: string,
): IngestProblem[] {
  if (own === null) return [];
  const counts = new Map<string, number>();
  for (const { currency, pending } of transactions) {
    if (!pending && currency !== own) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort().map(([currency, count]) => ({
    kind: 'foreign_currency',
    message: `${name}: ${foreignCurrencyText({ currency, transactions: count }, own)}`,
    accountId,
    accountExternalId: externalId,
  }));
}
