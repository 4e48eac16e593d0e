import type { WireAccount } from './payload.js';

/**
 * Accounts by an id that is theirs alone within a credential. The provider's own id is unique within one login only, so
 * that accounts of different logins with the same id get the login's name before it, all of them: a bare id that went
 * from one account to another would mix their histories. An account that is listed twice is one account.
 */
export function byExternalId(accounts: readonly WireAccount[]): Map<string, [WireAccount, ...WireAccount[]]> {
  const logins = new Map<string, Set<string>>();
  for (const account of accounts) {
    const known = logins.get(account.id) ?? new Set();
    logins.set(account.id, known.add(loginOf(account)));
  }
  const listed = new Map<string, [WireAccount, ...WireAccount[]]>();
  for (const account of accounts) {
    const isShared = (logins.get(account.id)?.size ?? 0) > 1;
    const externalId = isShared ? `${loginOf(account)}/${account.id}` : account.id;
    const known = listed.get(externalId);
    if (known) known.push(account);
    else listed.set(externalId, [account]);
  }
  return listed;
}

function loginOf({ conn_id, org }: WireAccount): string {
  return conn_id ?? org?.id ?? org?.domain ?? org?.name ?? '';
}
