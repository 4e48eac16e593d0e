import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { changeExternalIds } from './queries/change-external-ids.js';
import type { TransactionDiff } from './diff-transactions.js';
import { groupedBy } from './matching/grouped-by.js';
import { contentOfText, idOfText, storedText } from './queries/row-digests.js';

/**
 * Before the rows of an answer are written: some banks give the same transaction another id in every answer. A stored row
 * that is not listed any more and a row that was never seen before, with the same content, are one transaction: the
 * stored one takes over the new id. One to one, so that equal purchases stay as many as they are.
 *
 * @returns the fresh rows that remain
 */
export async function matchReissuedIds(
  em: EntityManager,
  account: Account,
  { fresh, unlisted }: TransactionDiff,
): Promise<ReadonlySet<SnapshotTransaction>> {
  if (fresh.size === 0 || unlisted.length === 0) return fresh;
  const gone = groupedBy(unlisted, contentOfText);
  const remaining = new Set<SnapshotTransaction>();
  const newIds = new Map<string, string>();
  for (const row of fresh) {
    const same = gone.get(contentOfText(storedText(row)))?.pop();
    if (same === undefined) remaining.add(row);
    else newIds.set(idOfText(same), row.externalId);
  }
  await changeExternalIds(em, account, newIds);
  return remaining;
}
