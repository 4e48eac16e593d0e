import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { type PairableTransaction, pairTransactions } from '../snapshots/pair-transactions.js';

/**
 * Brings what is stored of one account into another: a transaction that both have stays the row it was in `into` and
 * takes over the id under which the provider lists it now; everything else moves.
 */
export async function mergeFacts(em: EntityManager, into: Account, from: Account): Promise<void> {
  await mergeTransactions(em, into, from);
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

/** What the account that is listed knows better: where it is, and everything that nobody has chosen by hand. */
export function takeOver(into: Account, from: Account): void {
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

async function mergeTransactions(em: EntityManager, into: Account, from: Account): Promise<void> {
  const { userId } = into;
  const kysely = em.getKysely();
  // Which holds are open is known of the account that is listed.
  await sql`
    delete from transactions where user_id = ${userId} and account_id = ${into.id} and pending
  `.execute(kysely);
  const pairs = pairTransactions(await bookedRows(em, into), await bookedRows(em, from));
  const [arrived, kept] = [[...pairs.keys()], [...pairs.values()]];
  // An id of the old listing may mean something else in the new one.
  await sql`
    update transactions mine set external_id = 'unlisted ' || mine.id
    where mine.user_id = ${userId} and mine.account_id = ${into.id} and external_id in (
      select external_id from transactions where user_id = ${userId} and account_id = ${from.id}
    )
  `.execute(kysely);
  await sql`
    update transactions mine set external_id = theirs.external_id
    from unnest(${kept}::uuid[], ${arrived}::uuid[]) as pair (kept_id, arrived_id)
    join transactions theirs
      on theirs.user_id = ${userId} and theirs.account_id = ${from.id} and theirs.id = pair.arrived_id
    where mine.user_id = ${userId} and mine.account_id = ${into.id} and mine.id = pair.kept_id
  `.execute(kysely);
  await sql`
    delete from transactions
    where user_id = ${userId} and account_id = ${from.id} and id = any(${arrived}::uuid[])
  `.execute(kysely);
  await sql`
    update transactions set account_id = ${into.id} where user_id = ${userId} and account_id = ${from.id}
  `.execute(kysely);
}

async function bookedRows(em: EntityManager, { userId, id }: Account): Promise<PairableTransaction[]> {
  const { rows } = await sql<PairableTransaction>`
    select id, external_id as "externalId", date::text as date, amount_minor::float8 as "amountMinor", currency
    from transactions where user_id = ${userId} and account_id = ${id} and not pending
    order by date, first_seen_at, id
  `.execute(em.getKysely());
  return rows;
}
