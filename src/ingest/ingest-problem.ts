import type { Account } from '../accounts/account.entity.js';
import { foreignCurrencyText } from '../accounts/foreign-currencies.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import type { MissingVerdict } from './matching/judge-missing.js';

/** A part of an answer that cannot be counted. The run lists it. */
export interface IngestProblem {
  kind: 'foreign_currency' | 'synced_elsewhere' | 'data_incomplete';
  /** A sentence for the user. */
  message: string;
  /** `null` when it concerns several accounts. */
  accountId: string | null;
  /** The provider's id of the account, because an account that could not be stored has none of ours. */
  accountExternalId: string | null;
  /** With `synced_elsewhere`: the account, and the connection that syncs it. */
  elsewhere?: { accountName: string; connectionId: string; connectionName: string };
}

/** An answer that lacks most stored transactions is probably an error of the bank. */
export function tooManyMissingProblem(
  { id: accountId }: Account,
  { externalId, name }: SnapshotAccount,
  { missingCount, listedCount }: MissingVerdict,
): IngestProblem {
  return {
    kind: 'data_incomplete',
    message:
      `${name}: the provider’s answer lacks ${missingCount} of ${missingCount + listedCount} transactions of the days ` +
      'it covers. They are kept, because banks hardly ever withdraw so many.',
    accountId,
    accountExternalId: externalId,
  };
}

/** Reports posted transactions in another currency. They are stored, and never counted 1:1. */
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
