import type { Change } from './change.js';

/** Beyond so many, a part says which account instead of which records. */
const MAX_IDS = 2_000;

/** The same changes in fewer parts: one for the ids of each kind, one for the days of each account. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const parts = new Map<string, Change>();
  for (const change of changes) {
    if (change.ids?.length === 0) continue;
    const key = `${change.kind} ${change.accountId ?? ''} ${change.ids ? 'ids' : 'all'}`;
    const known = parts.get(key);
    parts.set(key, known ? mergeTwo(known, change) : change);
  }
  // All of an account says which of its records are gone; all of a kind does not.
  const isKnown = ({ kind, accountId, ids }: Change) => ids && accountId && parts.has(`${kind} ${accountId} all`);
  return [...parts.values()].filter((change) => !isKnown(change)).map(fewIds);
}

function mergeTwo(one: Change, other: Change): Change {
  const { kind, accountId } = one;
  if (one.ids && other.ids) return { ...one, ids: [...new Set([...one.ids, ...other.ids])] };
  const merged: Change = accountId === undefined ? { kind } : { kind, accountId };
  if (one.from && other.from) merged.from = one.from < other.from ? one.from : other.from;
  if (one.to && other.to) merged.to = one.to > other.to ? one.to : other.to;
  return merged;
}

function fewIds({ ids, ...change }: Change): Change {
  if (ids === undefined) return change;
  // Only where it says which account: else the part would be everything of a person.
  return ids.length > MAX_IDS && change.accountId ? change : { ...change, ids };
}
