import { beforeCommit, currentTransaction } from '../database/sessions/held-session.js';
import type { Change } from './change.js';
import { writeChanges } from './write-changes.js';

/** What the open transactions have changed so far, by person. */
const noted = new WeakMap<object, Map<string, Change[]>>();

/**
 * States what the transaction of the calling code changes of a person's data. Every transaction that changes what a list
 * of the API shows must say so: nothing else knows of it. The last thing the transaction does is to write down all of it
 * under the person's next number; one that notes nothing takes none. What a savepoint noted stays when that is rolled
 * back, which does no harm: a part that was not changed is read once more.
 *
 * @throws Error outside a transaction
 */
export function noteChanges(userId: string, ...changes: readonly Change[]): void {
  const transaction = currentTransaction();
  let people = noted.get(transaction);
  if (!people) {
    const all = new Map<string, Change[]>();
    noted.set(transaction, (people = all));
    beforeCommit((kysely) => writeChanges(kysely, all));
  }
  const known = people.get(userId);
  if (known) known.push(...changes);
  else people.set(userId, [...changes]);
}
