import type { EntityManager } from '@mikro-orm/postgresql';
import { Account } from '../accounts/account.entity.js';
import type { BankSnapshot, SnapshotAccount } from '../bank-provider/bank-provider.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import type { Connection } from '../connections/connection.entity.js';
import { type AccountTraits, isSameAccount, toComparable } from './matching/match-accounts.js';

const MOST_NAMED = 3;

/**
 * The first answer to a new credential must be about the accounts of its connection, or at least about such that look
 * like them. A token of somebody else's login would mix two people's accounts, which nothing can undo.
 *
 * @throws ProviderError `token_rejected` before anything was written
 */
export async function verifyCredentialOwner(
  em: EntityManager,
  connection: Connection,
  { accounts: listed }: BankSnapshot,
): Promise<void> {
  if (hasAnswered(connection)) return;
  const { userId, id } = connection;
  const known = await em.find(Account, { userId, connectionId: id });
  if (known.length === 0 || listed.length === 0) return;
  const knownIds = new Set(known.map(({ externalId }) => externalId));
  const knownTraits = known.map(toComparable);
  const isKnown = (account: SnapshotAccount) => {
    const traits = toComparable(traitsOf(account));
    return knownIds.has(account.externalId) || knownTraits.some((mine) => isSameAccount(mine, traits));
  };
  if (listed.some(isKnown)) return;
  throw new ProviderError(
    'token_rejected',
    `The new access leads to other accounts (${named(listed)}) than those of this connection (${named(known)}). ` +
      'Nothing was written. Give this connection an access of the same login, and connect the other login apart.',
  );
}

/** Whether the credential has had an answer that was stored. */
export function hasAnswered({ credentialSince, lastSyncedAt }: Connection): boolean {
  return lastSyncedAt !== null && credentialSince < lastSyncedAt;
}

function traitsOf({ name, institution, currency, suggestedType }: SnapshotAccount): AccountTraits {
  return { name, nameChosen: false, institution, currency, accountType: suggestedType };
}

function named(accounts: readonly { name: string }[]): string {
  const names = accounts.slice(0, MOST_NAMED).map(({ name }) => `“${name}”`);
  const more = accounts.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
