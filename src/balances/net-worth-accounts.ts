import type { CalendarDate } from '../time/calendar-date.js';
import type { AccountHistory } from './net-worth.repository.js';
import type { NetWorthWarning } from './net-worth.response.js';

type KnownHistory = { [Key in keyof AccountHistory]: NonNullable<AccountHistory[Key]> };

export function hasHistory(account: AccountHistory): account is KnownHistory {
  return account.lastDate !== null;
}

/** The currency that most accounts with a history are in, the first of the alphabet among equals. */
export function mostUsedCurrency(accounts: readonly AccountHistory[]): string | null {
  const counts = new Map<string, number>();
  for (const { currency } of accounts.filter(hasHistory)) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

/**
 * What a reader of the sums must know.
 *
 * @param currency of the sums; `null`: there are none
 * @param until the last day of the sums
 */
export function warningsOf(
  accounts: readonly AccountHistory[],
  currency: string | null,
  until: CalendarDate,
): NetWorthWarning[] {
  return accounts.flatMap((account) => {
    const warning = (kind: NetWorthWarning['kind'], message: string) => [
      { kind, account_id: account.id, account_name: account.name, message: `${account.name} ${message}` },
    ];
    if (!hasHistory(account)) return warning('no_history', 'has no history and is not part of the sums.');
    if (account.currency !== currency) {
      return warning(
        'other_currency',
        `is in ${account.currency} and not part of the sums: no exchange rate is known.`,
      );
    }
    if (account.isFollowed && account.lastDate < until) {
      return warning('carried_forward', `is known until ${account.lastDate} and goes on with its balance of that day.`);
    }
    return [];
  });
}
