import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Account } from '../accounts/account.entity.js';
import { noteChanges } from '../change-log/note-changes.js';
import type { BankSnapshot } from '../bank-provider/bank-provider.js';
import type { Connection } from '../connections/connection.entity.js';
import { expirePending } from './queries/pending-transactions.queries.js';

const BEGINNING = '0001-01-01';

/**
 * Marks the accounts that the provider no longer lists, and expires their pending transactions. An empty list, or one with a
 * problem that may concern a missing account, marks none.
 *
 * @returns how many were marked for the first time
 */
export async function markMissingAccounts(
  em: EntityManager,
  { userId, id: connectionId }: Pick<Connection, 'userId' | 'id'>,
  snapshot: BankSnapshot,
  at: Date,
): Promise<number> {
  const mayBeHidden = hiddenByProblems(snapshot);
  if (mayBeHidden === null) return 0;
  const listed = snapshot.accounts.map(({ externalId }) => externalId);
  const unlisted = await em.find(
    Account,
    { userId, connectionId, externalId: { $nin: listed } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  let marked = 0;
  for (const account of unlisted.filter((account) => !mayBeHidden(account))) {
    if (account.status !== 'missing') {
      marked++;
      account.status = 'missing';
      noteChanges(userId, { kind: 'accounts', ids: [account.id] }, { kind: 'connections' });
    }
    await expirePending(em, account, { transactions: [], coveredFrom: BEGINNING, complete: true }, at);
  }
  await em.flush();
  return marked;
}

/** Which unlisted accounts a problem may have hidden; `null`: any. */
function hiddenByProblems({ accounts, problems }: BankSnapshot): ((account: Account) => boolean) | null {
  const named = problems.filter(({ kind }) => kind !== 'rate_limited').map((problem) => problem.accountExternalId);
  if (accounts.length === 0 || named.includes(undefined)) return null;
  const failed = accounts.filter(({ externalId }) => named.includes(externalId));
  // A bank with a problem of one account may leave out another.
  const banks = failed.map(({ institution }) => institution);
  return ({ externalId, institution }) =>
    named.includes(externalId) || banks.some((bank) => bank === null || institution === null || bank === institution);
}
