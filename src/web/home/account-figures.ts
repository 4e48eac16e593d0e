import {
  type Contribution,
  contributionsOn,
  hasHistory,
  type NetWorthAccount,
  type NetWorthAccounts,
} from '../../balances/net-worth/net-worth-accounts.js';
import type { AccountChange } from '../../balances/net-worth/net-worth-changes.js';
import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { dayText } from '../components/when.js';

/** What the overview shows of each account, by its id. */
export interface AccountFigures {
  /** The newest history of each account that has one. */
  newestOf: ReadonlyMap<string, NetWorthAccount>;
  /** What counts today. */
  contributions: ReadonlyMap<string, Contribution>;
  /** Accounts that do not count, because another one may be the same. */
  duplicates: ReadonlySet<string>;
  /** How each account changed since the first day of its currency's line. */
  changes: ReadonlyMap<string, AccountChange>;
  /** In the order of the page. */
  currencies: readonly string[];
  today: CalendarDate;
}

export function figuresOf(
  counted: NetWorthAccounts,
  histories: readonly NetWorthHistory[],
  changes: readonly AccountChange[],
  today: CalendarDate,
): AccountFigures {
  // Of several histories of an account the newest comes last.
  const newestOf = new Map(counted.all.filter(hasHistory).map((history) => [history.id, history]));
  const contributions = new Map(contributionsOn(counted, today).map((one) => [one.accountId, one]));
  const duplicates = new Set(counted.duplicates.map(({ disconnectedId }) => disconnectedId));
  return {
    newestOf,
    contributions,
    duplicates,
    changes: new Map(changes.map((change) => [change.accountId, change])),
    currencies: histories.map(({ currency }) => currency),
    today,
  };
}

export interface LackingAccount {
  name: string;
  why: string;
  /** Whether that is as it should be: the person left it out, or its twin counts. */
  isChosen: boolean;
}

/**
 * The accounts that today's sum of a currency excludes, each with the reason.
 *
 * @param currency `null`: the sum is of all
 */
export function lackingOf(
  all: NetWorthAccounts['all'],
  { duplicates, today }: AccountFigures,
  currency: string | null,
): LackingAccount[] {
  return all.flatMap((account) => {
    const { id, name, isCurrent, isIncluded, isCarriedForward, closedOn } = account;
    const because = (why: string, isChosen = false) => [{ name, why, isChosen }];
    if (!isCurrent || closedOn !== null) return [];
    if (currency !== null && account.currency !== null && account.currency !== currency) return [];
    if (!isIncluded) return because('left out by you', true);
    if (!hasHistory(account)) return because('no balance yet');
    if (duplicates.has(id)) return because('may be listed twice', true);
    return isCarriedForward || account.lastDate >= today
      ? []
      : because(`not synced since ${dayText(account.lastDate)}`);
  });
}
