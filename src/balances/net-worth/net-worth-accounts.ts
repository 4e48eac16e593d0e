import { currencyText } from '../../money/currency-text.js';
import { addDays, type CalendarDate, daysBetween } from '../../time/calendar-date.js';
import type { DuplicatePair } from '../../accounts/duplicates/merge-suggestions.js';
import type { AccountHistory } from './net-worth.repository.js';
import type { NetWorthWarning } from './net-worth.response.js';

/** An account with a history. */
export interface NetWorthAccount extends AccountHistory {
  currency: string;
  firstDate: CalendarDate;
  lastDate: CalendarDate;
  factor: 1 | -1;
  balance: number;
}

export function hasHistory(account: AccountHistory): account is NetWorthAccount {
  return account.lastDate !== null;
}

/** Everything that a person's sums depend on. */
export interface NetWorthAccounts {
  /** Every account, also those excluded from all sums. */
  all: readonly AccountHistory[];
  /** The ids of these, if they are not all that the person has; `null`: they are. */
  only: readonly string[] | null;
  duplicates: readonly DuplicatePair[];
}

/** The present currencies of the accounts that count: most accounts first, then alphabetical. */
export function currenciesOf({ all }: NetWorthAccounts): string[] {
  const counts = new Map<string, number>();
  for (const { currency, isCurrent, isIncluded } of all.filter(hasHistory)) {
    if (isCurrent && isIncluded) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([currency]) => currency);
}

/** An account of the sums. */
export interface CountedAccount extends NetWorthAccount {
  /** From this day on it does not count, since another one may be the same; `null`: it counts on every day. */
  leftOutFrom: CalendarDate | null;
  /** From this day on the sums lack it; `null`: they do not. */
  lackedFrom: CalendarDate | null;
  /** The name of the possible duplicate that counts from then on. */
  replacedBy: string | null;
}

/** The accounts of the sums of one currency. */
interface CountedAccounts {
  accounts: readonly CountedAccount[];
  /** From this day on every balance is known; `null`: there is no account. */
  knownFrom: CalendarDate | null;
}

/**
 * Selects the accounts of a currency's sums. Excluded are accounts that the person left out and, of two possible
 * duplicates, the older one from the first day of the newer one.
 */
export function countedIn({ all, duplicates }: NetWorthAccounts, currency: string): CountedAccounts {
  const included = all.filter(hasHistory).filter((account) => account.currency === currency && account.isIncluded);
  const byId = new Map<string, CountedAccount>(
    included.map((account) => [
      account.id,
      { ...account, leftOutFrom: null, replacedBy: null, lackedFrom: lackedFrom(account) },
    ]),
  );
  const firstDates = new Map(included.map(({ id, firstDate }) => [id, firstDate]));
  for (const { disconnectedId, replacementId } of duplicates) {
    const [before, after] = [byId.get(disconnectedId), byId.get(replacementId)];
    if (!before || !after) continue;
    const isContinued = before.lastDate >= addDays(after.firstDate, -1);
    if (isContinued && before.firstDate < after.firstDate) firstDates.set(after.id, before.firstDate);
    const uncertain = rangesBefore(before.uncertain, after.firstDate);
    const { firstDate: leftOutFrom, name: replacedBy } = after;
    byId.set(before.id, { ...before, isCarriedForward: false, leftOutFrom, replacedBy, lackedFrom: null, uncertain });
  }
  const knownFrom = [...firstDates.values()].sort().at(-1) ?? null;
  return { accounts: [...byId.values()], knownFrom };
}

/** An account that is no longer synced and was not closed still holds something after its last known day. */
function lackedFrom({
  isCurrent,
  isCarriedForward,
  closedOn,
  balance,
  lastDate,
}: NetWorthAccount): CalendarDate | null {
  return isCurrent && !isCarriedForward && closedOn === null && balance !== 0 ? addDays(lastDate, 1) : null;
}

function rangesBefore(ranges: AccountHistory['uncertain'], day: CalendarDate): AccountHistory['uncertain'] {
  const last = addDays(day, -1);
  return ranges.filter(([from]) => from < day).map(([from, until]) => [from, until < last ? until : last]);
}

/** The contribution of an account to the net worth of a day, in minor units; liabilities are negative. */
export interface Contribution {
  accountId: string;
  currency: string;
  amountMinor: number;
}

/** The accounts of the newest sums: they add up to the net worth of `today` in each currency. */
export function contributionsOn(of: NetWorthAccounts, today: CalendarDate): Contribution[] {
  return currenciesOf(of).flatMap((currency) => {
    const counts = ({ isCarriedForward, lastDate, leftOutFrom }: CountedAccount) =>
      (isCarriedForward || lastDate >= today) && (leftOutFrom === null || leftOutFrom > today);
    return countedIn(of, currency)
      .accounts.filter(counts)
      .map(({ id, balance, factor }) => ({ accountId: id, currency, amountMinor: balance * factor }));
  });
}

/**
 * The warnings of the sums.
 *
 * @param currency of the sums; `null`: there are none
 * @param from the first day of the sums; `null`: there are none
 * @param until the last day of the sums
 */
export function netWorthWarnings(
  of: NetWorthAccounts,
  currency: string | null,
  from: CalendarDate | null,
  until: CalendarDate,
): NetWorthWarning[] {
  const counted = currency === null ? [] : countedIn(of, currency).accounts;
  const byId = new Map(counted.map((account) => [account.id, account]));
  return of.all.flatMap((account, index) => {
    const warning = ([kind, message]: Warning): NetWorthWarning => ({
      kind,
      account_id: account.id,
      account_name: account.name,
      message: `${account.name} ${message}`,
    });
    // An account has its histories in a row, the newest last. The others ended when its currency changed.
    const isNewest = of.all[index + 1]?.id !== account.id;
    if (account.currency === currency && byId.has(account.id)) {
      return [...warningsOfCounted(byId.get(account.id)!, isNewest, from, until)].map(warning);
    }
    if (!isNewest) return [];
    if (!account.isIncluded) return [warning(['excluded', 'was left out of net worth by you.'])];
    if (!hasHistory(account)) return [warning(['no_history', 'has no history and is not part of the sums.'])];
    const why = `is in ${account.currency} and not part of the sums: no exchange rate is known.`;
    return [warning(['other_currency', why])];
  });
}

type Warning = readonly [NetWorthWarning['kind'], string];

function* warningsOfCounted(
  account: CountedAccount,
  isNewest: boolean,
  from: CalendarDate | null,
  until: CalendarDate,
): Generator<Warning> {
  const { firstDate, leftOutFrom, replacedBy, uncertain } = account;
  if (from !== null && firstDate > from) {
    yield ['begins_later', `is known from ${firstDate} on and not part of the sums before that day.`];
  }
  if (leftOutFrom !== null) {
    const why = `and ${replacedBy} may be the same account; from ${leftOutFrom} on only the second counts.`;
    yield ['possible_duplicate', why];
  } else if (isNewest) yield* warningsOfEnd(account, until);
  const estimated = daysWithin(uncertain, from, until);
  if (estimated > 0)
    yield ['estimated', `is not certain on ${estimated} ${estimated === 1 ? 'day' : 'days'} of the sums.`];
}

function* warningsOfEnd(
  { lastDate, closedOn, balance, currency, isCarriedForward }: CountedAccount,
  until: CalendarDate,
): Generator<Warning> {
  if (lastDate >= until) return;
  if (isCarriedForward) {
    yield ['carried_forward', `is known until ${lastDate}; its balance of that day is carried forward.`];
  } else if (balance !== 0 && closedOn !== lastDate) {
    yield ['ends_earlier', `is known until ${lastDate} and not part of the sums after that day.`];
  } else if (balance !== 0) {
    const left = currencyText(balance, currency);
    yield ['closed', `was closed on ${closedOn} with ${left}, which no longer counts from the next day on.`];
  }
}

function daysWithin(ranges: AccountHistory['uncertain'], from: CalendarDate | null, until: CalendarDate): number {
  return ranges.reduce((total, [first, last]) => {
    const [start, end] = [from !== null && from > first ? from : first, until < last ? until : last];
    return total + (start <= end ? daysBetween(start, end) + 1 : 0);
  }, 0);
}
