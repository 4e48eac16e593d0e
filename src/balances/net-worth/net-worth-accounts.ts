import type { CalendarDate } from '../../time/calendar-date.js';
import type { AccountHistory } from './net-worth.repository.js';
import type { NetWorthWarning } from './net-worth.response.js';

export type HistoryCoverage = { [Key in keyof AccountHistory]: NonNullable<AccountHistory[Key]> };

export function hasHistory(account: AccountHistory): account is HistoryCoverage {
  return account.lastDate !== null;
}

/** The present currencies of the accounts with a history: that of most accounts first, equals by the alphabet. */
export function currenciesOf(accounts: readonly AccountHistory[]): string[] {
  const counts = new Map<string, number>();
  for (const { currency, isCurrent } of accounts.filter(hasHistory)) {
    if (isCurrent) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([currency]) => currency);
}

/**
 * What a reader of the sums must know.
 *
 * @param currency of the sums; `null`: there are none
 * @param from the first day of the sums; `null`: there are none
 * @param until the last day of the sums
 */
export function warningsOf(
  accounts: readonly AccountHistory[],
  currency: string | null,
  from: CalendarDate | null,
  until: CalendarDate,
): NetWorthWarning[] {
  return accounts.flatMap((account) => {
    const warning = (kind: NetWorthWarning['kind'], message: string): NetWorthWarning => ({
      kind,
      account_id: account.id,
      account_name: account.name,
      message: `${account.name} ${message}`,
    });
    if (!hasHistory(account)) return [warning('no_history', 'has no history and is not part of the sums.')];
    if (account.currency !== currency) {
      // A history that ended with its currency is no account that a reader would miss.
      if (!account.isCurrent) return [];
      const why = `is in ${account.currency} and not part of the sums: no exchange rate is known.`;
      return [warning('other_currency', why)];
    }
    const warnings: NetWorthWarning[] = [];
    if (from !== null && account.firstDate > from) {
      const why = `is known from ${account.firstDate} on and not part of the sums before that day.`;
      warnings.push(warning('begins_later', why));
    }
    if (account.isFollowed && account.lastDate < until) {
      const why = `is known until ${account.lastDate} and goes on with its balance of that day.`;
      warnings.push(warning('carried_forward', why));
    }
    return warnings;
  });
}
