import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Account } from '../../balances/accounts/account.entity.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import type { BankSnapshot, SnapshotAccount } from '../../providers/bank-provider.js';
import type { Connection, ConnectionKey } from '../connections/connection.entity.js';
import { matchListing } from './matching/match-listing.js';
import { ALL_DAYS } from './matching/pair-rows.js';
import { applyPlan, readStored } from './queries/listing.queries.js';
import { ProviderError } from '../../providers/provider-error.js';
import { reader } from '../../database/reader.js';
import { type AccountTraits, isSameAccount, toComparable } from '../../balances/accounts/duplicates/match-accounts.js';

/** What no answer lists any more. */
const EMPTY = { transactions: [], covered: ALL_DAYS, unreadableRows: 0 };

const MAX_NAMED_ACCOUNTS = 3;

/**
 * Verifies that the first answer to a new credential is about accounts of its connection, or about accounts that look
 * like them. A token of someone else's login would mix the accounts of two people, which nothing can undo.
 *
 * @throws ProviderError `token_rejected`, before anything is written
 */
export async function verifyCredentialOwner(
  em: EntityManager,
  connection: Connection,
  { accounts: listed }: BankSnapshot,
): Promise<void> {
  if (hasAnswered(connection)) return;
  const { userId, id } = connection;
  const known = await reader(em).find(Account, { userId, connectionId: id });
  if (known.length === 0 || listed.length === 0) return;
  const knownIds = new Set(known.map(({ externalId }) => externalId));
  const knownTraits = known.map(toComparable);
  const isKnown = (account: SnapshotAccount) => {
    const traits = toComparable(traitsOf(account));
    return knownIds.has(account.externalId) || knownTraits.some((stored) => isSameAccount(stored, traits));
  };
  if (listed.some(isKnown)) return;
  throw new ProviderError(
    'token_rejected',
    `The new credential belongs to other accounts (${named(listed)}) than this connection (${named(known)}). ` +
      'Nothing was changed. Use a credential of the same login here, and add the other login as a new connection.',
  );
}

/** Whether an answer to the current credential was stored. */
export function hasAnswered({ credentialSince, lastSyncedAt }: Connection): boolean {
  return lastSyncedAt !== null && credentialSince <= lastSyncedAt;
}

function traitsOf({ name, institution, currency, suggestedType }: SnapshotAccount): AccountTraits {
  return { name, nameChosen: false, institution, currency, accountType: suggestedType };
}

function named(accounts: readonly { name: string }[]): string {
  const names = accounts.slice(0, MAX_NAMED_ACCOUNTS).map(({ name }) => `“${name}”`);
  const more = accounts.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/**
 * Marks the accounts that the provider no longer lists, and expires their pending transactions. An empty list marks
 * none. A problem protects the account it names and others of its bank, or all accounts if it names none.
 */
export async function markMissingAccounts(
  em: EntityManager,
  { userId, id: connectionId }: ConnectionKey,
  snapshot: BankSnapshot,
  at: Date,
): Promise<void> {
  const mayBeHidden = hiddenByProblems(snapshot);
  if (mayBeHidden === null) return;
  const listed = snapshot.accounts.map(({ externalId }) => externalId);
  const unlisted = await em.find(
    Account,
    { userId, connectionId, externalId: { $nin: listed } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const missing = unlisted.filter((account) => !mayBeHidden(account));
  for (const account of missing) {
    if (account.status === 'missing') continue;
    Object.assign(account, { status: 'missing', answerDigest: null, updatedAt: at });
    noteChanges(userId, { kind: 'accounts', ids: [account.id] }, { kind: 'connections' });
  }
  await em.flush();
  for (const account of missing) {
    const pending = await readStored(em, account, { ...EMPTY, covered: [] }, 'UTC');
    await applyPlan(em, account, matchListing(pending, EMPTY, [], { seenAt: at, includePending: true }), at);
  }
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
