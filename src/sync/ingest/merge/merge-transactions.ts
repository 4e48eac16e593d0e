import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../../balances/accounts/account.entity.js';
import type {
  Correction,
  ImportedList,
  OwnRow,
  StatedBalance,
} from '../../../balances/own-knowledge/own-knowledge.entities.js';
import { Holding } from '../../../balances/holdings/holding.entity.js';
import { BalanceReport } from '../../../balances/accounts/balance-report.entity.js';
import { Transaction } from '../../../balances/transactions/transaction.entity.js';
import type {
  TransactionVersion,
  VersionEndReason,
} from '../../../balances/transactions/transaction-version.entity.js';
import { ALL_DAYS, pairRows, type Row, type StoredRow } from '../matching/pair-rows.js';
import { MERGE_PASSES, type MergeState } from '../matching/passes.js';
import { sharedDays } from '../matching/undo-renumbering.js';
import { jsonOf, lookUp, readStored, VERSION_COLUMNS, versionOf } from '../queries/listing.queries.js';

type Tables = InferClassEntityDB<
  | typeof Transaction
  | typeof TransactionVersion
  | typeof ImportedList
  | typeof OwnRow
  | typeof StatedBalance
  | typeof Correction
>;

/**
 * Moves the transactions, their versions, the balance reports and what a person knows of one account into another. A transaction that both
 * have keeps its row in `disconnected` and takes the id under which the provider lists it now.
 */
export async function moveTransactionsAndReports(
  em: EntityManager,
  disconnected: Account,
  replacement: Account,
  at: Date,
): Promise<void> {
  await mergeTransactions(em, disconnected, replacement, at);
  const [from, into] = [{ userId: disconnected.userId, accountId: replacement.id }, { accountId: disconnected.id }];
  await em.nativeUpdate(BalanceReport, from, into);
  // The foreign key cascades to them; on Citus it cannot.
  await em.nativeUpdate(Holding, from, into);
  for (const table of ['imported_lists', 'own_rows', 'stated_balances', 'corrections'] as const) {
    const moved = em.getKysely<Tables>().updateTable(table).set({ account_id: disconnected.id });
    await moved.where('user_id', '=', from.userId).where('account_id', '=', from.accountId).execute();
  }
}

/** Takes over the provider's listing of `replacement`, and what no person has chosen in `disconnected`. */
export function adoptListing(disconnected: Account, replacement: Account): void {
  const { connectionId, provider, externalId, covered, historyAskedAt, staleSince } = replacement;
  const { datesAs, holdingsSupported, holdingsRetryOn, unsupportedBalance } = replacement;
  Object.assign(disconnected, { connectionId, provider, externalId, covered, historyAskedAt, staleSince });
  Object.assign(disconnected, { datesAs, holdingsSupported, holdingsRetryOn, unsupportedBalance, answerDigest: null });
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
  const keptIds = pairTransactions(kept, moved);
  const movedIds = new Set(moved.map(({ externalId }) => externalId));
  const inTheWay = kept.filter(({ externalId }) => movedIds.has(externalId));
  // In two steps, because an id must be free before another row takes it.
  await changeExternalIds(em, disconnected, new Map(inTheWay.map(({ id }) => [id, `unlisted ${id}`])));
  const taken = moved.flatMap(({ id, externalId }): [string, string][] =>
    keptIds.has(id) ? [[keptIds.get(id)!, externalId]] : [],
  );
  await changeExternalIds(em, disconnected, new Map(taken));
  await mergeVersions(em, disconnected, replacement, keptIds, at);
  await em.nativeUpdate(Transaction, { userId, accountId: replacement.id }, { accountId: disconnected.id });
}

/**
 * Pairs the transactions of two listings of one account.
 *
 * @returns the ids of kept transactions by those of arrived ones
 */
export function pairTransactions(kept: readonly StoredRow[], moved: readonly StoredRow[]): Map<string, string> {
  const arrived = moved.filter(({ pending }) => !pending);
  const isShared = sharedDays(kept, arrived);
  const keptIds = new Map<string, string>();
  const paired = new Set<Row>();
  const rowsIn = (state: MergeState) => {
    const [side, ofDays] = state.split(' of ') as ['kept' | 'arrived', string | undefined];
    const rows = (side === 'kept' ? kept : arrived).filter((row) => !paired.has(row));
    return ofDays ? rows.filter((row) => isShared(row) === (ofDays === 'shared days')) : rows;
  };
  for (const pass of MERGE_PASSES) {
    for (const [one, other] of pairRows(pass, rowsIn(pass.of), rowsIn(pass.to))) {
      keptIds.set((other as StoredRow).id, (one as StoredRow).id);
      paired.add(one).add(other);
    }
  }
  return keptIds;
}

/** In the order of their days. */
function storedRows(em: EntityManager, account: Account): Promise<StoredRow[]> {
  return readStored(em, account, { transactions: [], covered: ALL_DAYS }, 'UTC');
}

/** Gives stored transactions of an account other external ids, which none may have yet. @param newIds by our ids */
async function changeExternalIds(
  em: EntityManager,
  { userId, id }: Account,
  newIds: ReadonlyMap<string, string>,
): Promise<void> {
  if (newIds.size === 0) return;
  await em
    .getKysely<Tables>()
    .updateTable('transactions')
    .set((eb) => ({ external_id: lookUp(newIds, eb.cast<string>('id', 'text')) }))
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...newIds.keys()]))))
    .execute();
}

/**
 * Deletes the transactions of `replacement` that `disconnected` has, too, and moves all versions. Those of the deleted
 * transactions say which one was kept, and explain no balance: their bank never listed both.
 *
 * @param keptIds the ids of the transactions of `disconnected`, by the ids of the same ones of `replacement`
 */
async function mergeVersions(
  em: EntityManager,
  disconnected: Account,
  replacement: Account,
  keptIds: ReadonlyMap<string, string>,
  at: Date,
): Promise<void> {
  const { userId } = disconnected;
  const kysely = em.getKysely<Tables>();
  await kysely
    .with('t', (having) =>
      having
        .deleteFrom('transactions')
        .where('user_id', '=', userId)
        .where('account_id', '=', replacement.id)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val([...keptIds.keys()]))))
        .returningAll(),
    )
    .insertInto('transaction_versions')
    .columns(VERSION_COLUMNS)
    .expression((eb) => eb.selectFrom('t').select((eb) => versionOf(eb, eb.val<VersionEndReason>('merged'), at)))
    .execute();
  await kysely
    .updateTable('transaction_versions')
    .set((eb) => {
      const id = eb.cast<string>('transaction_id', 'text');
      const isKept = eb.fn<boolean>('jsonb_exists', [jsonOf(keptIds), id]);
      return {
        account_id: disconnected.id,
        reason: eb.case().when(isKept).then<VersionEndReason>('merged').else(eb.ref('reason')).end(),
        replaced_by: eb.fn.coalesce(eb.cast<string>(lookUp(keptIds, id), 'uuid'), 'replaced_by'),
      };
    })
    .where('user_id', '=', userId)
    .where('account_id', '=', replacement.id)
    .execute();
}
