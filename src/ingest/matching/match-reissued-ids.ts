import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { contentOfDigest, digestOf, externalIdOf } from './row-digest.js';
import { type ComparedTransaction, contentOf } from './match-pending-to-posted.js';

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
  const byContent = Map.groupBy(missing, contentOfDigest);
  for (const row of inserted) {
    const stored = byContent.get(contentOfDigest(digestOf(row)))?.pop();
    if (stored !== undefined) reissued.set(externalIdOf(stored), row);
  }
  return reissued;
}

/**
 * Matches posted rows that are not stored to withdrawn transactions that come back: by their id, else one to one by
 * equal content, because some banks mint new ids.
 */
export function matchRestored<Withdrawn extends ComparedTransaction>(
  withdrawn: readonly Withdrawn[],
  inserted: Iterable<SnapshotTransaction>,
): Map<SnapshotTransaction, Withdrawn> {
  const restored = new Map<SnapshotTransaction, Withdrawn>();
  const byId = new Map(withdrawn.map((row) => [row.externalId, row]));
  const posted = [...inserted].filter(({ pending }) => !pending);
  for (const row of posted) {
    const same = byId.get(row.externalId);
    if (same) restored.set(row, same);
  }
  const used = new Set(restored.values());
  const byContent = Map.groupBy(
    withdrawn.filter((row) => !used.has(row)),
    contentOf,
  );
  for (const row of posted) {
    const same = restored.has(row) ? undefined : byContent.get(contentOf(row))?.shift();
    if (same) restored.set(row, same);
  }
  return restored;
}
