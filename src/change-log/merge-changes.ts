import type { Change } from './change.js';

/** With more ids than this, a part names the account instead of the records. */
const MAX_IDS = 2_000;

/** The same changes in fewer parts: one for the ids of each kind, one for the days of each account. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const parts = new Map<string, Change>();
  for (const change of changes) {
    if (change.ids?.length === 0) continue;
    const key = `${change.kind} ${change.accountId ?? ''} ${change.ids ? 'ids' : 'all'} ${change.event ?? ''}`;
    const known = parts.get(key);
    parts.set(key, known ? mergeTwo(known, change) : change);
  }
  // A part for a whole account implies which of its records are deleted; a part for a whole kind does not.
  const isKnown = ({ kind, accountId, ids }: Change) => ids && accountId && parts.has(`${kind} ${accountId} all `);
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
  // Only if the account is known: otherwise the part would cover everything of a person.
  return ids.length > MAX_IDS && change.accountId ? change : { ...change, ids };
}
