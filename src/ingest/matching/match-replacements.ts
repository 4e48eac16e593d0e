import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { daysBetween } from '../../time/calendar-date.js';
import { groupedBy } from './grouped-by.js';
import type { ComparedTransaction } from './match-pending-to-posted.js';
import { MAX_DAYS_MOVED, pairNearestDays } from './pair-nearest-days.js';

/** What replaces transactions that the bank no longer lists. */
export interface Replacements {
  /** The same transaction under a new id, with another date or text, by the external id under which it is stored. */
  reissued: Map<string, SnapshotTransaction>;
  /** The new transaction of another amount, by the external id of the withdrawn one it supersedes. */
  superseding: Map<string, SnapshotTransaction>;
}

/**
 * Matches withdrawn transactions to new ones of the same answer. An equal amount makes them one transaction: with equal
 * texts the nearest date decides, with other texts only an unambiguous pair counts. With another amount, which is how
 * provisional rows become final, an unambiguous pair with equal texts stays two transactions that are linked.
 */
export function matchReplacements(
  withdrawn: readonly ComparedTransaction[],
  inserted: readonly SnapshotTransaction[],
): Replacements {
  const redated = pairNearestDays<ComparedTransaction, ComparedTransaction, SnapshotTransaction>(
    withdrawn,
    inserted,
    (row) => JSON.stringify([row.amountMinor, ...textsOf(row)]),
  );
  const reissued = new Map([...redated].map(([row, stored]) => [stored.externalId, row]));
  const matched = new Set<ComparedTransaction>([...redated.keys(), ...redated.values()]);
  const addPairs = (to: Map<string, SnapshotTransaction>, contentOf: (row: ComparedTransaction) => string) => {
    const isLeft = (row: ComparedTransaction) => !matched.has(row);
    for (const [stored, row] of pairUnambiguous(withdrawn.filter(isLeft), inserted.filter(isLeft), contentOf)) {
      to.set(stored.externalId, row);
      matched.add(stored).add(row);
    }
  };
  const superseding = new Map<string, SnapshotTransaction>();
  addPairs(reissued, ({ amountMinor, currency }) => JSON.stringify([amountMinor, currency]));
  addPairs(superseding, (row) => JSON.stringify([Math.sign(row.amountMinor), ...textsOf(row)]));
  return { reissued, superseding };
}

function textsOf({ currency, description, merchant }: ComparedTransaction) {
  return [currency, description, merchant];
}

/** Pairs of equal content, at most five days apart, of which neither row has a second candidate. */
function pairUnambiguous(
  withdrawn: readonly ComparedTransaction[],
  inserted: readonly SnapshotTransaction[],
  contentOf: (row: ComparedTransaction) => string,
): [ComparedTransaction, SnapshotTransaction][] {
  const candidates = groupedBy(inserted, contentOf);
  const pairs = withdrawn.flatMap((stored) =>
    (candidates.get(contentOf(stored)) ?? [])
      .filter((row) => Math.abs(daysBetween(stored.date, row.date)) <= MAX_DAYS_MOVED)
      .map((row): [ComparedTransaction, SnapshotTransaction] => [stored, row]),
  );
  const uses = new Map<ComparedTransaction, number>();
  for (const row of pairs.flat()) uses.set(row, (uses.get(row) ?? 0) + 1);
  return pairs.filter((pair) => pair.every((row) => uses.get(row) === 1));
}
