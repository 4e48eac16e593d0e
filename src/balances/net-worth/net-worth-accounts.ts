import { currencyText } from '../../platform/money/currency-text.js';
import { addDays, type CalendarDate, daysBetween, earliest, latest } from '../../platform/time/calendar-date.js';
import type { DuplicatePair } from '../accounts/duplicates/merge-suggestions.js';
import type { DateRange, UncertainRange } from './net-worth.js';
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

/** The currencies in which accounts that count are or were. */
export function currenciesEver({ all }: NetWorthAccounts): string[] {
  return [...new Set(all.filter(hasHistory).flatMap((account) => (account.isIncluded ? account.currency : [])))];
}

/** An account of the sums. */
export interface CountedAccount extends NetWorthAccount {
  /** From this day on it does not count, since another one may be the same; `null`: it counts on every day. */
  leftOutFrom: CalendarDate | null;
  /** The days on which the sums lack it, although it may have held something. */
  lacked: readonly DateRange[];
  /** The name of the possible duplicate that counts from then on. */
  replacedBy: string | null;
  /** The days on which its part of the sums is unknown, ascending. */
  unknown: readonly DateRange[];
}

/**
 * Selects the accounts of a currency's sums. Excluded are accounts that the person left out and, of two possible
 * duplicates, the older one from the first day of the newer one.
 */
export function countedIn({ all, duplicates }: NetWorthAccounts, currency: string): readonly CountedAccount[] {
  const included = all.filter(hasHistory).filter((account) => account.currency === currency && account.isIncluded);
  const byId = new Map(included.map((account) => [account.id, account]));
  // Of several histories of an account the newest comes last.
  const newestOf = new Map(all.map((account) => [account.id, account]));
  const replacementOf = new Map<string, NetWorthAccount>();
  const begins = new Map(included.map(({ id, firstDate }) => [id, firstDate]));
  for (const { disconnectedId, replacementId } of duplicates) {
    const [before, after] = [byId.get(disconnectedId), byId.get(replacementId)];
    if (!before || !after) continue;
    replacementOf.set(before.id, after);
    const isContinued = before.lastDate >= addDays(after.firstDate, -1) && before.firstDate < after.firstDate;
    if (isContinued) begins.set(after.id, before.firstDate);
    else begins.set(before.id, LAST_DAY);
  }
  return included.map((account) => {
    const replacement = replacementOf.get(account.id);
    const isNewest = newestOf.get(account.id) === account;
    const counted = replacement ? leaveOut(account, replacement) : count(account, isNewest);
    const before: DateRange = [FIRST_DAY, addDays(begins.get(account.id)!, -1)];
    const after: DateRange[] = isNewest || replacement ? [] : [[addDays(account.lastDate, 1), LAST_DAY]];
    return { ...counted, unknown: [before, ...counted.lacked, ...after] };
  });
}

const FIRST_DAY = '0001-01-01';
/** An account without end has its ranges until this day. */
const LAST_DAY = '9999-12-31';

/** @param isNewest `false`: the account went on in another currency */
function count(account: NetWorthAccount, isNewest: boolean): Omit<CountedAccount, 'unknown'> {
  const { isCarriedForward, closedOn, balance, lastDate, gaps, uncertain } = account;
  const later: DateRange = [addDays(lastDate, 1), closedOn ?? LAST_DAY];
  // An account that is no longer synced still holds something after its last known day, until it is closed.
  const isLacked = isNewest && !isCarriedForward && balance !== 0 && closedOn !== lastDate;
  return {
    ...account,
    leftOutFrom: null,
    replacedBy: null,
    lacked: isLacked ? [...gaps, later] : gaps,
    uncertain: isCarriedForward ? [...uncertain, [...later, 'unknown', null]] : uncertain,
  };
}

/** Counts an account until the day before another one, which may be the same, begins. */
function leaveOut(account: NetWorthAccount, { firstDate, name }: NetWorthAccount): Omit<CountedAccount, 'unknown'> {
  const last = addDays(firstDate, -1);
  return {
    ...account,
    isCarriedForward: false,
    leftOutFrom: firstDate,
    replacedBy: name,
    lacked: account.gaps.filter(([from]) => from <= last).map(([from, until]) => [from, earliest(until, last)]),
    uncertain: account.uncertain
      .filter(([from]) => from <= last)
      .map(([from, until, ...how]): UncertainRange => [from, earliest(until, last), ...how]),
  };
}

/** Whether the part of an account in the sums is known on each of these days. */
export function isKnownOver({ unknown }: CountedAccount, from: CalendarDate, until: CalendarDate): boolean {
  return !unknown.some(([first, last]) => first <= until && last >= from);
}

/** Since when the part of an account in the sums is known until a day; `null`: it is not known on it. */
export function knownSince({ unknown }: CountedAccount, day: CalendarDate): CalendarDate | null {
  const until = unknown.findLast(([first]) => first <= day)![1];
  return until >= day ? null : addDays(until, 1);
}

/** The accounts of a line that compares days with each other. */
export interface ComparedAccounts {
  /** The first day of the line. */
  from: CalendarDate;
  /** Those known on each of its days. */
  accounts: readonly CountedAccount[];
  /** Those known since a later day. */
  later: readonly (CountedAccount & { since: CalendarDate })[];
}

/**
 * Selects the accounts of a line: on each of its days it is the sum of the same ones, so that no account that becomes known
 * looks like a gain. The line begins where accounts times days are most, at the earliest with the range.
 *
 * @param from the day whose end is the start of the range; `null`: the history begins it
 * @param until the last day
 */
export function comparedIn(
  counted: readonly CountedAccount[],
  from: CalendarDate | null,
  until: CalendarDate,
): ComparedAccounts {
  const known = counted.flatMap((account) => {
    const { lastDate, isCarriedForward } = account;
    const since = knownSince(account, until);
    const isOver = !isCarriedForward && from !== null && lastDate < from;
    return since === null || isOver ? [] : [{ ...account, since: latest(from ?? since, since) }];
  });
  let [begin, most] = [until, -1];
  for (const day of known.map(({ since }) => since).sort()) {
    const area = known.filter(({ since }) => since <= day).length * daysBetween(day, until);
    if (area > most) [begin, most] = [day, area];
  }
  return {
    from: begin,
    accounts: known.filter(({ since }) => since <= begin),
    later: known.filter(({ since }) => since > begin),
  };
}

/** The contribution of an account to the net worth of a day, in minor units; liabilities are negative. */
export interface Contribution {
  accountId: string;
  currency: string;
  amountMinor: number;
}

/** Whether it is part of the sum of a day on which its part is known: it may have ended. */
export function countsOn({ isCarriedForward, lastDate, leftOutFrom }: CountedAccount, day: CalendarDate): boolean {
  return (isCarriedForward || lastDate >= day) && (leftOutFrom === null || leftOutFrom > day);
}

/** The accounts of the newest sums: they add up to the net worth of `today` in each currency. */
export function contributionsOn(of: NetWorthAccounts, today: CalendarDate): Contribution[] {
  return currenciesOf(of).flatMap((currency) => {
    return countedIn(of, currency)
      .filter((account) => countsOn(account, today))
      .map(({ id, balance, factor }) => ({ accountId: id, currency, amountMinor: balance * factor }));
  });
}

/**
 * The warnings of the sums.
 *
 * @param currencies of the sums; several if they are added up in one
 * @param from the first day of the sums; `null`: there are none
 * @param until the last day of the sums
 */
export function netWorthWarnings(
  of: NetWorthAccounts,
  currencies: readonly string[],
  from: CalendarDate | null,
  until: CalendarDate,
): NetWorthWarning[] {
  const keyOf = (account: AccountHistory | undefined) => `${account?.id} ${account?.currency}`;
  const counted = currencies.flatMap((currency) => countedIn(of, currency));
  const byKey = new Map(counted.map((account) => [keyOf(account), account]));
  return of.all.flatMap((account, index) => {
    const warning = ([kind, message]: Warning): NetWorthWarning => ({
      kind,
      account_id: account.id,
      account_name: account.name,
      message: `${account.name} ${message}`,
    });
    // An account has its histories in a row, the newest last. The others ended when its currency changed.
    const isNewest = of.all[index + 1]?.id !== account.id;
    const own = byKey.get(keyOf(account));
    if (own) {
      // Where an earlier history of it counts in another currency, its own beginning is none of the account.
      const before = of.all[index - 1];
      const isContinued = before?.id === account.id && byKey.has(keyOf(before));
      const warnings = from === null ? [] : [...warningsOfCounted(own, from, until)];
      return warnings.filter(([kind]) => kind !== 'begins_later' || !isContinued).map(warning);
    }
    if (!isNewest) return [];
    if (!account.isIncluded) return [warning(['excluded', 'was left out of net worth by you.'])];
    if (!hasHistory(account)) return [warning(['no_history', 'has no history and is not part of the sums.'])];
    const why = `is in ${account.currency} and not part of the sums, which are in one currency.`;
    return [warning(['other_currency', why])];
  });
}

type Warning = readonly [NetWorthWarning['kind'], string];

function* warningsOfCounted(account: CountedAccount, from: CalendarDate, until: CalendarDate): Generator<Warning> {
  const { firstDate, lastDate, isCarriedForward, closedOn, balance, currency, leftOutFrom, replacedBy } = account;
  if (firstDate > from) {
    yield ['begins_later', `is known from ${firstDate} on and not part of the sums before that day.`];
  }
  if (leftOutFrom !== null) {
    const why = `and ${replacedBy} may be the same account; from ${leftOutFrom} on only the second counts.`;
    yield ['possible_duplicate', why];
  }
  for (const [first, last] of account.lacked.filter(([first, last]) => first <= until && last >= from)) {
    yield first > lastDate
      ? ['ends_earlier', `is known until ${lastDate} and not part of the sums after that day.`]
      : [
          'other_currency',
          `has no balance in ${currency} from ${first} to ${last} and is not part of the sums of those days.`,
        ];
  }
  if (isCarriedForward && lastDate < until) {
    yield ['carried_forward', `is known until ${lastDate}; its balance of that day is carried forward.`];
  }
  if (closedOn === lastDate && closedOn < until && balance !== 0) {
    const left = currencyText(balance, currency);
    yield ['closed', `was closed on ${closedOn} with ${left}, which no longer counts from the next day on.`];
  }
  const estimated = daysWithin(account.uncertain, from, until);
  if (estimated > 0)
    yield ['estimated', `is estimated on ${estimated} ${estimated === 1 ? 'day' : 'days'} of the sums.`];
}

function daysWithin(ranges: readonly UncertainRange[], from: CalendarDate, until: CalendarDate): number {
  return ranges.reduce((total, [first, last]) => {
    const [start, end] = [latest(from, first), earliest(until, last)];
    return total + (start <= end ? daysBetween(start, end) + 1 : 0);
  }, 0);
}
