import { hasHistory, type NetWorthAccounts } from '../../balances/net-worth/net-worth-accounts.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { dayText } from '../components/when.js';

export interface LackingAccount {
  name: string;
  why: string;
}

/** The accounts that today's sum of a currency excludes, each with the reason. */
export function lackingOf(
  all: NetWorthAccounts['all'],
  duplicates: ReadonlySet<string>,
  currency: string,
  today: CalendarDate,
): LackingAccount[] {
  return all.flatMap((account) => {
    const { id, name, isCurrent, isIncluded, isFollowed, closedOn } = account;
    const because = (why: string) => [{ name, why }];
    if (!isCurrent || closedOn !== null || (account.currency !== null && account.currency !== currency)) return [];
    if (!isIncluded) return because('left out by you');
    if (!hasHistory(account)) return because('no balance yet');
    if (duplicates.has(id)) return because('may be listed twice');
    return isFollowed || account.lastDate >= today ? [] : because(`not synced since ${dayText(account.lastDate)}`);
  });
}
