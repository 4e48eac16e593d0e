import { byExternalId } from './account-ids.js';
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
