import { randomUUID } from 'node:crypto';
import { beforeCommit, currentTransaction } from '../database/sessions/held-session.js';
import type { Change } from './change.js';
import { type NotedChanges, writeChanges } from './write-changes.js';

/** What the open transactions have changed so far, by person. */
const noted = new WeakMap<object, Map<string, NotedChanges>>();

/**
 * States what the transaction of the calling code changes of a person's data. Every transaction that changes what a list
 * of the API shows must say so: nothing else knows of it. The last thing the transaction does is to write down all of it
 * under the person's next number; one that notes nothing takes none. What a savepoint noted stays when that is rolled
 * back, which does no harm: a part that was not changed is read once more.
 *
 * @throws Error outside a transaction
 */
export function noteChanges(userId: string, ...changes: readonly Change[]): void {
  notedOf(userId).changes.push(...changes);
}

/**
 * Where the transaction of the calling code keeps what it replaces of a person's data: the id that its revision will
 * have, and a number that orders what it keeps. Whoever keeps something must note what changes, too.
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
