import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { groupedBy } from './grouped-by.js';
import type { ComparedTransaction } from './match-pending-to-posted.js';

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
  const byContent = groupedBy(
    withdrawn.filter((row) => !used.has(row)),
    contentOf,
  );
  for (const row of posted) {
    const same = restored.has(row) ? undefined : byContent.get(contentOf(row))?.shift();
    if (same) restored.set(row, same);
  }
  return restored;
}

function contentOf({ date, amountMinor, currency, description, merchant }: ComparedTransaction): string {
  return JSON.stringify([date, amountMinor, currency, description, merchant]);
}
