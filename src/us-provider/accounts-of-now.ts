import type { AccountSet, WireAccount } from './payload.js';

/**
 * Accounts as they are now, by external id: their balances as the request for balances tells them, their holdings as the
 * newest window lists them, since that request lists none of anybody's.
 *
 * @returns also accounts that only one of the answers lists; never one that the newest window tells in an unexpected way
 */
export function accountsOfNow(balances: AccountSet, newest: AccountSet): [string, WireAccount][] {
  const unreadable = new Set(newest.surprises.map(({ id }) => id));
  const reports = new Set(balances.accounts.filter(({ id }) => !unreadable.has(id)));
  return [...byExternalId([...newest.accounts, ...reports])].map(([externalId, told]) => [
    externalId,
    ofNow(
      told.find((wire) => !reports.has(wire)),
      told.find((wire) => reports.has(wire)),
      told[0],
    ),
  ]);
}

function ofNow(listed: WireAccount | undefined, report: WireAccount | undefined, either: WireAccount): WireAccount {
  if (!report) return either;
  // A bank that was refreshed between the two requests: the balance beside the transactions is the one that fits them.
  if (listed && balanceSeconds(listed) > balanceSeconds(report)) return listed;
  return { ...report, holdings: listed?.holdings };
}

function balanceSeconds(wire: WireAccount): number {
  return wire['balance-date'] ?? 0;
}

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
