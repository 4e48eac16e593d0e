import { randomUUID } from 'node:crypto';
import { beforeCommit, currentTransaction } from '../database/sessions/held-session.js';
import type { Change } from './change.js';
import { type NotedChanges, writeChanges } from './write-changes.js';

/** What the open transactions have changed so far, by person. */
const noted = new WeakMap<object, Map<string, NotedChanges>>();

/**
 * Records what the caller's transaction changes of a person's data. Every transaction that changes what a list of the
 * API shows must call it: nothing else tracks changes. Right before the commit, all noted changes are written under the
 * person's next revision; a transaction that notes nothing takes none. Changes noted in a savepoint stay when it is
 * rolled back, which is harmless: readers read an unchanged part once more.
 *
 * @throws Error outside a transaction
 */
export function noteChanges(userId: string, ...changes: readonly Change[]): void {
  notedOf(userId).changes.push(...changes);
}

/**
 * Where the caller's transaction stores the values that it replaces: the id by which its revision will be found, and a
 * number that orders the stored parts. A caller that stores something must also note the change.
 */
export function nextKeptPart(userId: string): { batchId: string; part: number } {
  const known = notedOf(userId);
  known.batchId ??= randomUUID();
  return { batchId: known.batchId, part: known.kept++ };
}

function notedOf(userId: string): NotedChanges {
  const transaction = currentTransaction();
  let people = noted.get(transaction);
  if (!people) {
    const all = new Map<string, NotedChanges>();
    noted.set(transaction, (people = all));
    beforeCommit((kysely) => writeChanges(kysely, all));
  }
  let known = people.get(userId);
  if (!known) people.set(userId, (known = { changes: [], batchId: null, kept: 0 }));
  return known;
}
