// Measured where nothing has changed: writing each account all the same makes a sync of 4 accounts cost 2.0 times as much, of 20 4.1 times.
import { hash } from 'node:crypto';
import type { Account, DatesAs } from '../../balances/accounts/account.entity.js';
import { ACCOUNT_TYPES } from '../../balances/engine/ledger.js';
import type { BankSnapshot, SnapshotAccount, SnapshotRequest } from '../../providers/bank-provider.js';
import type { ProviderProblem } from '../../providers/provider-error.js';
import { currencyCode } from '../../platform/money/currency.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import {
  completeUntil,
  type CoveredDays,
  coveredUntil,
  daysBefore,
  withDays,
} from '../../platform/time/covered-days.js';

const HOLDINGS_RETRY_DAYS = 30;

/** When an answer came, and what it covers. */
export interface IngestMoment {
  at: Date;
  /** The day of `at` in the user's timezone. */
  day: CalendarDate;
  /** The day of `at` in UTC, in which providers count. */
  utcDay: CalendarDate;
  /** The user's, an IANA name. */
  timeZone: string;
  /** How the account's feed writes days; `null`: unknown. */
  datesAs: DatesAs | null;
  /** The first day of the history that the connection wants. */
  historyFrom: CalendarDate;
  /** Whether the account's whole history was fetched, not only what is new. */
  isWholeHistory: boolean;
}

/**
 * Says in a few characters all that an answer tells of an account, and when. An answer that says what the one before said
 * changes nothing. Most do, and then nothing is locked and nothing is written.
 */
export function digestOfAnswer(
  { transactions, ...answer }: SnapshotAccount,
  { day, utcDay, timeZone, datesAs }: IngestMoment,
  includePending: boolean,
): string {
  const rows = transactions.map((row) => JSON.stringify(row)).sort();
  return hash('sha256', JSON.stringify([answer, rows, day, utcDay, timeZone, datesAs, includePending]), 'base64url');
}

/** What an account is after an answer, as far as that says. Missing values and a person's choices are kept. */
export function statedValues(account: Account, snapshot: SnapshotAccount, moment: IngestMoment): Partial<Account> {
  return {
    name: account.nameChosen ? account.name : snapshot.name,
    institution: snapshot.institution ?? account.institution,
    currency: snapshot.currency ?? account.currency,
    unsupportedBalance: snapshot.unsupportedBalance ?? account.unsupportedBalance,
    accountType: account.accountType ?? ACCOUNT_TYPES.find((type) => type === snapshot.suggestedType) ?? null,
    datesAs: moment.datesAs ?? account.datesAs,
    status: 'active',
    staleSince: staleAfter(account, snapshot),
    ...holdingsOf(account, snapshot, moment.utcDay),
    ...coverageOf(account, snapshot, moment),
  };
}

/** “No holdings” is stored for 30 days only, because providers add support. */
function holdingsOf(account: Account, { holdings }: SnapshotAccount, today: CalendarDate): Partial<Account> {
  if (holdings.status === 'unavailable') {
    const isKept = account.holdingsRetryOn !== null && account.holdingsRetryOn > today;
    const retryOn = isKept ? account.holdingsRetryOn : addDays(today, HOLDINGS_RETRY_DAYS);
    return { holdingsSupported: false, holdingsRetryOn: retryOn };
  }
  // Providers send an empty list for accounts that cannot have holdings, too.
  const hasSome = holdings.status === 'available' && holdings.items.length > 0;
  return hasSome ? { holdingsSupported: true, holdingsRetryOn: null } : {};
}

/** A feed that has stopped resumes with a newer balance date. */
function staleAfter({ staleSince }: Account, { balance }: SnapshotAccount): CalendarDate | null {
  const hasResumed = staleSince === null || (balance?.date ?? staleSince) > staleSince;
  return hasResumed ? null : staleSince;
}

function isUncounted(currency: string | null): boolean {
  return currency !== null && currencyCode(currency) === null;
}

/** Which days are covered, so that after a gap only the days since are fetched. */
function coverageOf(account: Account, snapshot: SnapshotAccount, moment: IngestMoment): Partial<Account> {
  const { at, isWholeHistory } = moment;
  // No transaction was stored while the currency could not be counted.
  const isNowCounted = isUncounted(account.currency) && currencyCode(snapshot.currency) !== null;
  const before = isNowCounted ? [] : account.covered;
  const asked = { ...(isNowCounted && { historyAskedAt: null }), ...(isWholeHistory && { historyAskedAt: at }) };
  const staleSince = staleAfter(account, snapshot);
  if (staleSince !== null) return { ...asked, covered: daysBefore(before, staleSince) };
  return { ...asked, covered: coveredAfter(before, snapshot, moment) };
}

/**
 * The problems of an answer. A rate limit that kept older days away is none if these are stored already.
 *
 * @param stored the accounts before the answer
 */
export function problemsOf(
  { accounts, problems }: BankSnapshot,
  stored: readonly Account[],
  { today: day, historyFrom }: Pick<SnapshotRequest, 'today' | 'historyFrom'>,
): ProviderProblem[] {
  const before = new Map(stored.map(({ externalId, covered }) => [externalId, covered]));
  const isWhole = accounts.every((answer) => {
    const covered = coveredAfter(before.get(answer.externalId) ?? [], answer, { day, historyFrom });
    return answer.covered.length > 0 && covered.length === 1 && completeUntil(covered) !== null;
  });
  return problems.filter(({ kind, isOfOlderDays }) => !(isWhole && kind === 'rate_limited' && isOfOlderDays));
}

/** The days of which an account's list is whole after one more answer. */
function coveredAfter(
  before: CoveredDays,
  { covered }: Pick<SnapshotAccount, 'covered'>,
  { day, historyFrom }: Pick<IngestMoment, 'day' | 'historyFrom'>,
): CoveredDays {
  // The answer counts its days in UTC, and the account in the person's timezone.
  const last = coveredUntil(covered);
  const days = covered.map(({ from, until }) => ({ from, until: until === last ? day : until }));
  const [first, ...others] = days.reduce(withDays, before);
  if (!first) return [];
  // Nothing older is wanted.
  const isWhole = first.from !== null && first.from <= historyFrom;
  return [isWhole ? { ...first, from: null } : first, ...others];
}
