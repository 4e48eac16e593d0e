import {
  type ComparedAccounts,
  type Contribution,
  contributionsOn,
  countsOn,
  hasHistory,
  type NetWorthAccount,
  type NetWorthAccounts,
} from '../../balances/net-worth/net-worth-accounts.js';
import type { AccountChange } from '../../balances/net-worth/net-worth-changes.js';
import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import { namesOf } from '../components/names.js';
import { dayText } from '../components/when.js';

/** What the chart of the overview draws. */
export interface ComparedLine extends ComparedAccounts {
  days: readonly CalendarDate[];
}
export type ComparedHistory = NetWorthHistory<ComparedLine>;

/** What the overview shows of each account, by its id. */
export interface AccountFigures {
  /** What tells each account apart. */
  names: ReadonlyMap<string, string>;
  /** The newest history of each account that has one. */
  newestOf: ReadonlyMap<string, NetWorthAccount>;
  /** What counts on the day. */
  contributions: ReadonlyMap<string, Contribution>;
  day: CalendarDate;
  /** Accounts that do not count, because another one may be the same. */
  duplicates: ReadonlySet<string>;
  /** How each account changed since the first day of its currency's line. */
  changes: readonly AccountChange[];
  /** In the order of the page. */
  currencies: readonly string[];
  today: CalendarDate;
}

export function figuresOf(
  accounts: readonly AccountRow[],
  counted: NetWorthAccounts,
  histories: readonly NetWorthHistory[],
  changes: readonly AccountChange[],
  today: CalendarDate,
): AccountFigures {
  // Of several histories of an account the newest comes last.
  const newestOf = new Map(counted.all.filter(hasHistory).map((history) => [history.id, history]));
  const contributions = new Map(contributionsOn(counted, today).map((one) => [one.accountId, one]));
  return {
    names: namesOf(accounts),
    newestOf,
    contributions,
    duplicates: duplicateIds(counted),
    changes,
    currencies: histories.map(({ currency }) => currency),
    day: today,
    today,
  };
}

/** The accounts that another one may be. */
export function duplicateIds({ duplicates }: NetWorthAccounts): Set<string> {
  return new Set(duplicates.map(({ disconnectedId }) => disconnectedId));
}

/** The same with what counted on the last day of the lines. */
export function figuresOn(
  day: CalendarDate,
  histories: readonly ComparedHistory[],
  figures: AccountFigures,
): AccountFigures {
  if (day === figures.today) return figures;
  const contributions = new Map<string, Contribution>();
  for (const account of histories.flatMap(({ accounts, later }) => [...accounts, ...later])) {
    const { id: accountId, currency } = account;
    const change = figures.changes.find((one) => one.accountId === accountId && one.currency === currency);
    if (change && countsOn(account, day))
      contributions.set(accountId, { accountId, currency, amountMinor: change.endMinor });
  }
  return { ...figures, contributions, day };
}

/** In minor units; debts are negative. */
export interface Totals {
  total: number;
  assets: number;
  debts: number;
}

/** Whether anything in a currency is known on the day of the figures. Today the sum of no accounts is 0. */
export function hasSum({ currency }: Pick<ComparedHistory, 'currency'>, figures: AccountFigures): boolean {
  const { contributions, day, today } = figures;
  return day === today || [...contributions.values()].some((one) => one.currency === currency);
}

/** On the day of the figures, as in the API. */
export function totalsOf(
  { currency }: Pick<ComparedHistory, 'currency'>,
  { contributions, newestOf }: AccountFigures,
): Totals {
  let [assets, debts] = [0, 0];
  for (const { accountId, currency: own, amountMinor } of contributions.values()) {
    if (own !== currency) continue;
    if (newestOf.get(accountId)?.factor === -1) debts += amountMinor;
    else assets += amountMinor;
  }
  return { total: assets + debts, assets, debts };
}

export interface LackingAccount {
  name: string;
  why: string;
  /** Whether that is as it should be: the person left it out, or its twin counts. */
  isChosen: boolean;
}

/** The accounts of the sums of a day. */
interface Summed extends Pick<AccountFigures, 'duplicates' | 'day'> {
  contributions: { has: (accountId: string) => boolean };
  names?: AccountFigures['names'];
}

/**
 * The accounts that the sum of a currency excludes on the day, each with the reason.
 *
 * @param currency `null`: the sum is of all
 */
export function lackingOf(
  all: NetWorthAccounts['all'],
  { contributions, duplicates, day, names }: Summed,
  currency: string | null,
): LackingAccount[] {
  return all.flatMap((account) => {
    const { id, name, isCurrent, isIncluded, isCarriedForward, closedOn } = account;
    const because = (why: string, isChosen = false) => [{ name: names?.get(id) ?? name, why, isChosen }];
    if (!isCurrent || closedOn !== null || contributions.has(id)) return [];
    if (currency !== null && account.currency !== null && account.currency !== currency) return [];
    if (!isIncluded) return because('left out by you', true);
    if (duplicates.has(id)) return because('may be listed twice', true);
    if (!hasHistory(account)) return because('no balance yet');
    if (account.firstDate > day) return because(`known since ${dayText(account.firstDate)}`);
    return isCarriedForward || account.lastDate >= day ? [] : because(`not synced since ${dayText(account.lastDate)}`);
  });
}
