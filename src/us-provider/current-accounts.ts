import type { AccountSet, WireAccount } from './payload.js';

/**
 * Combines the balances of one answer with the holdings of the newest window, by external id. The request for balances
 * lists no holdings.
 *
 * @returns also accounts that only one of the answers lists, but none that is invalid in the newest window
 */
export function currentAccounts(balances: AccountSet, newest: AccountSet): [string, WireAccount][] {
  const unreadable = new Set(newest.issues.map(({ id }) => id));
  const reports = new Set(balances.accounts.filter(({ id }) => !unreadable.has(id)));
  return [...byExternalId([...newest.accounts, ...reports])].map(([externalId, listings]) => [
    externalId,
    combine(
      listings.find((wire) => !reports.has(wire)),
      listings.find((wire) => reports.has(wire)),
      listings[0],
    ),
  ]);
}

function combine(listed: WireAccount | undefined, report: WireAccount | undefined, either: WireAccount): WireAccount {
  if (!report) return either;
  // The bank was refreshed between the two requests. This balance fits the transactions.
  if (listed && balanceSeconds(listed) > balanceSeconds(report)) return listed;
  return { ...report, holdings: listed?.holdings };
}

function balanceSeconds(wire: WireAccount): number {
  return wire['balance-date'] ?? 0;
}

/**
 * Groups listed accounts by an external id that is unique within the credential. The provider's id is unique within one
 * login only, so accounts of different logins with one id all get the login's name as a prefix. An account may be
 * listed twice.
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
