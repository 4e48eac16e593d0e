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
 * have keeps its row in `disconnected` and takes the id under which the provider lists it now.
 */
export async function moveTransactionsAndReports(
  em: EntityManager,
  disconnected: Account,
  replacement: Account,
  at: Date,
): Promise<void> {
  await mergeTransactions(em, disconnected, replacement, at);
  const { userId } = disconnected;
  // The moment is part of the key, so only one of two reports of the same moment can stay.
  await em
    .getKysely<Tables>()
    .deleteFrom('observations as moved')
    .where('moved.user_id', '=', userId)
    .where('moved.account_id', '=', replacement.id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('observations as kept')
          .select('kept.day')
          .where('kept.user_id', '=', userId)
          .where('kept.account_id', '=', disconnected.id)
          .whereRef('kept.observed_at', '=', 'moved.observed_at'),
      ),
    )
    .execute();
  await em.nativeUpdate(BalanceReport, { userId, accountId: replacement.id }, { accountId: disconnected.id });
  // The foreign key cascades to them; on Citus it cannot.
  await em.nativeUpdate(Holding, { userId, accountId: replacement.id }, { accountId: disconnected.id });
}

/** Takes over the provider's listing of `replacement`, and what no person has chosen in `disconnected`. */
export function adoptListing(disconnected: Account, replacement: Account): void {
  const { connectionId, provider, externalId, completeUntil, completeOn, historyAskedAt } = replacement;
  const { knownFrom, knownUntil, datesAs, holdingsSupported, holdingsRetryOn, unsupportedBalance } = replacement;
  Object.assign(disconnected, { connectionId, provider, externalId, completeUntil, completeOn, historyAskedAt });
  Object.assign(disconnected, { knownFrom, knownUntil, holdingsSupported, holdingsRetryOn, unsupportedBalance });
  Object.assign(disconnected, { datesAs, staleSince: replacement.staleSince });
  disconnected.status = 'active';
  disconnected.institution = replacement.institution ?? disconnected.institution;
  if (!disconnected.nameChosen)
    Object.assign(disconnected, { name: replacement.name, nameChosen: replacement.nameChosen });
  if (disconnected.accountType === null || (replacement.accountTypeChosen && !disconnected.accountTypeChosen)) {
    Object.assign(disconnected, {
      accountType: replacement.accountType,
      accountTypeChosen: replacement.accountTypeChosen,
    });
  }
}

async function mergeTransactions(
  em: EntityManager,
  disconnected: Account,
  replacement: Account,
  at: Date,
): Promise<void> {
  const { userId } = disconnected;
  // Only the listed account knows which pending transactions are open.
  await em.nativeDelete(Transaction, { userId, accountId: disconnected.id, pending: true });
  const [kept, moved] = [await storedRows(em, disconnected), await storedRows(em, replacement)];
  const pairs = pairTransactions(
    kept,
    moved.filter(({ pending }) => !pending),
  );
  const [freed, taken] = newIdsOf(kept, moved, pairs);
  await changeExternalIds(em, disconnected, freed);
  await changeExternalIds(em, disconnected, taken);
  await mergeVersions(em, disconnected, replacement, pairs, at);
  await em.nativeUpdate(Transaction, { userId, accountId: replacement.id }, { accountId: disconnected.id });
}

/**
 * Plans the new external ids in two steps, because an id must be free before another row takes it.
 *
 * @returns by the ids at the time of each step: first the replacements of ids that the new listing uses, then the ids
 * of the new listing
 */
function newIdsOf(
  kept: readonly PairableTransaction[],
  moved: readonly PairableTransaction[],
  pairs: ReadonlyMap<string, string>,
): [Map<string, string>, Map<string, string>] {
  const movedIds = new Set(moved.map(({ externalId }) => externalId));
  const inTheWay = kept.filter(({ externalId }) => movedIds.has(externalId));
  const freed = new Map(inTheWay.map(({ id, externalId }) => [externalId, `unlisted ${id}`]));
  const keptIds = new Map(kept.map(({ id, externalId }) => [id, freed.get(externalId) ?? externalId]));
  const paired = moved.filter(({ id }) => pairs.has(id));
  return [freed, new Map(paired.map(({ id, externalId }) => [keptIds.get(pairs.get(id)!)!, externalId]))];
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
