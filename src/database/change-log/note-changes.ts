import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { beforeCommit, currentTransaction } from '../sessions/held-session.js';
import { type Change, CHANGE_KINDS, SYNC_KINDS } from './change.js';

/** The PostgreSQL channel for changed data. Only a hint: readers also poll. */
export const CHANGES_CHANNEL = 'tidemark_changes';

/** With more ids than this, a part names the account instead of the records. */
const MAX_IDS = 2_000;

/** What a transaction has changed of one person's data. */
interface NotedChanges {
  changes: Change[];
  /** Finds the revision from the tables that store what the transaction replaced; `null`: it replaced nothing there. */
  batchId: string | null;
  /** How many parts are stored there. */
  kept: number;
}

/** What the open transactions have changed so far, by person. */
const noted = new WeakMap<object, Map<string, NotedChanges>>();

/**
 * Records what the caller's transaction changes of a person's data. Every transaction that changes what a list of the
 * API shows must call it: nothing else tracks changes. Right before the commit, all noted changes are written under the
 * person's next revision; a transaction that notes nothing takes none. Changes noted in a savepoint stay when it is
 * rolled back, which is harmless: readers read an unchanged part once more.
 *
 * @throws Error outside a transaction, and for a kind that no descriptor has
 */
export function noteChanges(userId: string, ...changes: readonly Change[]): void {
  const unknown = changes.find(({ kind }) => !CHANGE_KINDS.includes(kind));
  if (unknown) throw new Error(`No descriptor has the kind ${unknown.kind} among its changes.`);
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

/**
 * Writes what a transaction has changed under the next revision of each person. It must be the last statement before
 * the commit: it locks the person's counter, so that revisions become visible in order and a reader who sees one has
 * missed none before it. Several counters are locked in the order of their ids. Raw, because the builder knows neither
 * `pg_notify` nor `jsonb_to_recordset`, by which one statement writes the three tables.
 */
async function writeChanges(kysely: Kysely<unknown>, people: ReadonlyMap<string, NotedChanges>): Promise<void> {
  const parts = [...people].flatMap(([userId, { changes, batchId }]) =>
    mergeChanges(changes).map(({ kind, accountId, from, to, ids, event }, part) => ({
      user_id: userId,
      batch_id: batchId,
      part,
      kind,
      account_id: accountId,
      from_date: from,
      to_date: to,
      ids,
      event,
    })),
  );
  if (parts.length === 0) return;
  // Before the counters are locked: it names the people and not their revisions.
  await sql`
    select pg_notify(${CHANGES_CHANNEL}, user_id) from unnest(${[...people.keys()]}::text[]) user_id
  `.execute(kysely);
  await sql`
    with noted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as part
        (user_id uuid, batch_id uuid, part integer, kind text, account_id uuid, from_date date, to_date date, ids uuid[],
         event text)
    ), moved as (
      insert into user_revisions as stored (user_id, revision, records_revision, moved_at)
      select user_id, 1, max((kind <> all(${[...SYNC_KINDS]}::text[]))::integer), statement_timestamp()
      from noted group by user_id order by user_id
      on conflict (user_id) do update set
        revision = stored.revision + 1,
        records_revision = case when excluded.records_revision = 1 then stored.revision + 1 else stored.records_revision end,
        moved_at = greatest(stored.moved_at, clock_timestamp())
      returning user_id, revision, moved_at
    ), numbered as (
      insert into revisions (user_id, revision, committed_at, batch_id)
      select moved.user_id, moved.revision, moved.moved_at, min(noted.batch_id::text)::uuid
      from moved join noted using (user_id) group by moved.user_id, moved.revision, moved.moved_at
    )
    insert into changes (user_id, revision, part, kind, account_id, from_date, to_date, ids, event)
    select user_id, revision, part, kind, account_id, from_date, to_date, ids, event from noted join moved using (user_id)
  `.execute(kysely);
}

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
