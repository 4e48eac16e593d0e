import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Account } from '../accounts/account.entity.js';
import type { BankSnapshot } from '../bank-provider/bank-provider.js';
import type { Connection } from '../connections/connection.entity.js';
import { removeReleasedHolds } from './match-pending.js';

const BEGINNING = '0001-01-01';

/**
 * Marks the accounts that the provider does not list any more. They are kept with all they have, but for holds that
 * nobody has listed for long enough. Only an answer that is whole says anything by leaving an account out: not an empty
 * list, not one with trouble that may concern what is missing.
 *
 * @returns how many are marked now that were not before
 */
export async function markMissingAccounts(
  em: EntityManager,
  { userId, id: connectionId }: Pick<Connection, 'userId' | 'id'>,
  snapshot: BankSnapshot,
  at: Date,
): Promise<number> {
  const mayBeHidden = hiddenBy(snapshot);
  if (mayBeHidden === null) return 0;
  const listed = snapshot.accounts.map(({ externalId }) => externalId);
  const unlisted = await em.find(
    Account,
    { userId, connectionId, externalId: { $nin: listed } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  let marked = 0;
  for (const account of unlisted.filter((account) => !mayBeHidden(account))) {
    if (account.status !== 'missing') marked++;
    account.status = 'missing';
    await removeReleasedHolds(em, account, { transactions: [], coveredFrom: BEGINNING, complete: true }, at);
  }
  await em.flush();
  return marked;
}

/** Which unlisted accounts the trouble of an answer may hide; `null`: any of them. */
function hiddenBy({ accounts, problems }: BankSnapshot): ((account: Account) => boolean) | null {
  const named = problems.filter(({ kind }) => kind !== 'rate_limited').map((problem) => problem.accountExternalId);
  if (accounts.length === 0 || named.includes(undefined)) return null;
  const troubled = accounts.filter(({ externalId }) => named.includes(externalId));
  // A bank that has trouble with one account may leave out another.
  const banks = troubled.map(({ institution }) => institution);
  return ({ externalId, institution }) =>
    named.includes(externalId) || banks.some((bank) => bank === null || institution === null || bank === institution);
}
