import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { groupedBy } from './grouped-by.js';
import { contentOf, digestOf, externalIdOf } from './row-digest.js';

/**
 * Finds stored transactions that the bank lists under another id. Some banks mint new ids for every answer. A stored
 * row that is missing and a row that was never seen, with equal content, are one transaction. They are matched one to
 * one, so that equal purchases keep their number.
 *
 * @param missing digests of stored rows
 * @returns the rows of the answer, by the external id under which they are stored
 */
export function matchReissuedIds(
  missing: readonly string[],
  inserted: Iterable<SnapshotTransaction>,
): Map<string, SnapshotTransaction> {
  const reissued = new Map<string, SnapshotTransaction>();
  if (missing.length === 0) return reissued;
  const byContent = groupedBy(missing, contentOf);
  for (const row of inserted) {
    const stored = byContent.get(contentOf(digestOf(row)))?.pop();
    if (stored !== undefined) reissued.set(externalIdOf(stored), row);
  }
  return reissued;
}
