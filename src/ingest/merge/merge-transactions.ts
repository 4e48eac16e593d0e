import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { Holding } from '../../accounts/holdings/holding.entity.js';
import { BalanceReport } from '../../accounts/balance-report.entity.js';
import { Transaction } from '../../accounts/transactions/transaction.entity.js';
import { changeExternalIds, toCompared } from '../queries/transactions.queries.js';
import { mergeVersions } from '../queries/transaction-versions.queries.js';
import { type PairableTransaction, pairTransactions } from '../matching/pair-transactions.js';

type Tables = InferClassEntityDB<typeof BalanceReport | typeof Transaction>;

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
  // The moment is part of the key, so only one of two reports of the same moment can stay.
  await em
    .getKysely<Tables>()
    .deleteFrom('observations as theirs')
    .where('theirs.user_id', '=', userId)
    .where('theirs.account_id', '=', from.id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('observations as mine')
          .select('mine.day')
          .where('mine.user_id', '=', userId)
          .where('mine.account_id', '=', into.id)
          .whereRef('mine.observed_at', '=', 'theirs.observed_at'),
      ),
    )
    .execute();
  await em.nativeUpdate(BalanceReport, { userId, accountId: from.id }, { accountId: into.id });
  // The foreign key cascades to them; on Citus it cannot.
  await em.nativeUpdate(Holding, { userId, accountId: from.id }, { accountId: into.id });
}

/** Takes over the provider's listing of `from`, and what no person has chosen in `into`. */
export function adoptListing(into: Account, from: Account): void {
  const { connectionId, provider, externalId, completeUntil, completeOn, historyAskedAt } = from;
  const { knownFrom, knownUntil, holdingsSupported, holdingsRetryOn, unsupportedBalance } = from;
  Object.assign(into, { connectionId, provider, externalId, completeUntil, completeOn, historyAskedAt });
  Object.assign(into, { knownFrom, knownUntil, holdingsSupported, holdingsRetryOn, unsupportedBalance });
  into.status = 'active';
  into.institution = from.institution ?? into.institution;
  if (!into.nameChosen) Object.assign(into, { name: from.name, nameChosen: from.nameChosen });
  if (into.accountType === null || (from.accountTypeChosen && !into.accountTypeChosen)) {
    Object.assign(into, { accountType: from.accountType, accountTypeChosen: from.accountTypeChosen });
  }
}

async function mergeTransactions(em: EntityManager, into: Account, from: Account, at: Date): Promise<void> {
  const { userId } = into;
  // Only the listed account knows which pending transactions are open.
  await em.nativeDelete(Transaction, { userId, accountId: into.id, pending: true });
  const [mine, theirs] = [await storedRows(em, into), await storedRows(em, from)];
  const pairs = pairTransactions(
    mine,
    theirs.filter(({ pending }) => !pending),
  );
  const [freed, taken] = newIdsOf(mine, theirs, pairs);
  await changeExternalIds(em, into, freed);
  await changeExternalIds(em, into, taken);
  await mergeVersions(em, into, from, pairs, at);
  await em.nativeUpdate(Transaction, { userId, accountId: from.id }, { accountId: into.id });
}

/**
 * Plans the new external ids in two steps, because an id must be free before another row takes it.
 *
 * @returns by the ids at the time of each step: first the replacements of ids that the new listing uses, then the ids
 * of the new listing
 */
function newIdsOf(
  mine: readonly PairableTransaction[],
  theirs: readonly PairableTransaction[],
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

async function storedRows(em: EntityManager, { userId, id }: Account): Promise<StoredRow[]> {
  const rows = await em
    .getKysely<Tables>({ convertValues: true })
    .selectFrom('transactions')
    .select(['id', 'external_id', 'date', 'amount_minor', 'currency', 'description', 'merchant', 'pending'])
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .orderBy('date')
    .orderBy('first_seen_at')
    .orderBy('id')
    .execute();
  return rows.map(toCompared);
}
