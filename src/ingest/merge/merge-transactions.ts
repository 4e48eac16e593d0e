import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { changeExternalIds } from '../queries/external-ids.queries.js';
import { mergeVersions } from '../queries/transaction-versions.queries.js';
import { type PairableTransaction, pairTransactions } from '../matching/pair-transactions.js';

/**
 * Moves the transactions, their versions and the balance reports of one account into another. A transaction that both
 * have keeps its row in `into` and takes the id under which the provider lists it now.
 */
export async function moveTransactionsAndReports(
  em: EntityManager,
  into: Account,
  from: Account,
  at: Date,
): Promise<void> {
  await mergeTransactions(em, into, from, at);
  const { userId } = into;
  await sql`
    delete from observations o where o.user_id = ${userId} and o.account_id = ${from.id} and exists (
      select from observations mine
      where mine.user_id = ${userId} and mine.account_id = ${into.id} and mine.observed_at = o.observed_at
    )
  `.execute(em.getKysely());
  await sql`
    update observations set account_id = ${into.id} where user_id = ${userId} and account_id = ${from.id}
  `.execute(em.getKysely());
}

/** Takes the provider's listing of `from`, and everything that nobody has chosen by hand. */
export function adoptListing(into: Account, from: Account): void {
  const { connectionId, provider, externalId, completeUntil, historyAskedAt } = from;
  const { knownFrom, knownUntil, holdingsSupported, holdingsRetryOn } = from;
  Object.assign(into, { connectionId, provider, externalId, completeUntil, historyAskedAt });
  Object.assign(into, { knownFrom, knownUntil, holdingsSupported, holdingsRetryOn });
  into.status = 'active';
  into.institution = from.institution ?? into.institution;
  if (!into.nameChosen) Object.assign(into, { name: from.name, nameChosen: from.nameChosen });
  if (into.accountType === null || (from.accountTypeChosen && !into.accountTypeChosen)) {
    Object.assign(into, { accountType: from.accountType, accountTypeChosen: from.accountTypeChosen });
  }
}

async function mergeTransactions(em: EntityManager, into: Account, from: Account, at: Date): Promise<void> {
  const { userId } = into;
  const kysely = em.getKysely();
  // Only the listed account knows which pending transactions are open.
  await sql`
    delete from transactions where user_id = ${userId} and account_id = ${into.id} and pending
  `.execute(kysely);
  const [mine, theirs] = [await storedRows(em, into), await storedRows(em, from)];
  const pairs = pairTransactions(mine, theirs.filter(isPosted));
  const [freed, taken] = newIdsOf(mine, theirs, pairs);
  await changeExternalIds(em, into, freed);
  await changeExternalIds(em, into, taken);
  await mergeVersions(em, into, from, pairs, at);
  await sql`
    update transactions set account_id = ${into.id} where user_id = ${userId} and account_id = ${from.id}
  `.execute(kysely);
}

/**
 * @returns the new ids of rows whose id may mean something else in the new listing, and then those of rows that are listed
 * there, by the ids they have at that time
 */
function newIdsOf(
  mine: readonly StoredRow[],
  theirs: readonly StoredRow[],
  pairs: ReadonlyMap<string, string>,
): [Map<string, string>, Map<string, string>] {
  const theirIds = new Set(theirs.map(({ externalId }) => externalId));
  const inTheWay = mine.filter(({ externalId }) => theirIds.has(externalId));
  const freed = new Map(inTheWay.map(({ id, externalId }) => [externalId, `unlisted ${id}`]));
  const idsOfMine = new Map(mine.map(({ id, externalId }) => [id, freed.get(externalId) ?? externalId]));
  const paired = theirs.filter(({ id }) => pairs.has(id));
  return [freed, new Map(paired.map(({ id, externalId }) => [idsOfMine.get(pairs.get(id)!)!, externalId]))];
}

interface StoredRow extends PairableTransaction {
  pending: boolean;
}

function isPosted({ pending }: StoredRow): boolean {
  return !pending;
}

async function storedRows(em: EntityManager, { userId, id }: Account): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select id, external_id as "externalId", date::text as date, amount_minor::float8 as "amountMinor", currency, pending
    from transactions where user_id = ${userId} and account_id = ${id}
    order by date, first_seen_at, id
  `.execute(em.getKysely());
  return rows;
}
