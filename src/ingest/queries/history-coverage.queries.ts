import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { completeUntil } from '../../accounts/covered-days.js';
import type { Transaction } from '../../accounts/transactions/transaction.entity.js';
import type { BankSnapshot, KnownPart, SnapshotAccount } from '../../bank-provider/bank-provider.js';
import { addDays, type CalendarDate, dateInTimeZone, DAY_MS } from '../../time/calendar-date.js';
import type { Connection } from '../../connections/connection.entity.js';
import { MAX_PENDING_DAYS } from '../matching/match-listing.js';

/** Most banks deliver old transactions within days of the first ones. No answer says whether more will follow. */
const DAILY_BACKFILL_MS = 3 * DAY_MS;
/** Some banks need weeks. */
const WEEKLY_BACKFILL_MS = 61 * DAY_MS;
/** No more often, because a whole history takes many of the few requests that a provider allows. */
const DAILY_MS = DAY_MS;
/** A day less than a week, so that the sync after it still lies within the week. */
const WEEKLY_MS = 6 * DAY_MS;
/** Of an account whose feed has stopped no more days are requested at each sync, however long that lasts. */
const STALE_DAYS = 30;
/** A bank that has delivered rows of the oldest tenth of what is wanted has delivered it all. */
const OLDEST_PART = 0.1;

type Tables = InferClassEntityDB<typeof Account | typeof Transaction>;

interface CoverageContext {
  now: Date;
  /** Whether a person asks: they may have fixed at the bank what kept an account from being complete. */
  isManual: boolean;
}

/** Until which day the transactions of accounts are settled, by external id. */
export interface SyncCoverage {
  /** The accounts of which only what is new is requested. */
  completeUntil: Map<string, CalendarDate>;
  /** What is known of the accounts that were never complete and of which the whole history is requested. */
  partlyKnown: Map<string, KnownPart>;
  /** The accounts that were complete and of which the whole history is requested all the same. */
  backfilled: Map<string, CalendarDate>;
}

/**
 * Finds out until which day the transactions of each account are settled: without a gap and without an open pending
 * transaction, because only an answer that reaches back to it shows what became of it. One older than two months does not
 * count: a bank that dates it wrongly would be asked for all days since.
 *
 * The whole history is requested
 * - of a new account;
 * - of a complete account daily for three days and then weekly for two months, unless its bank has delivered all that
 *   is wanted;
 * - of an account that was never complete daily, and whenever a person asks, from where it stopped. In between it
 *   counts as settled until the day of the last request.
 *
 * @param accounts of the connection
 */
export async function historyCoverage(
  em: EntityManager,
  connection: Connection,
  accounts: readonly Account[],
  context: CoverageContext,
): Promise<SyncCoverage> {
  const listed = await readListedDays(em, connection, context.now);
  const coverage: SyncCoverage = { completeUntil: new Map(), partlyKnown: new Map(), backfilled: new Map() };
  const boundOfStale = addDays(dateInTimeZone(context.now, 'UTC'), -STALE_DAYS);
  for (const account of accounts) {
    const { externalId, staleSince, historyAskedAt, covered } = account;
    const until = completeUntil(covered);
    const part = covered.at(-1);
    // An account that was added meanwhile has delivered nothing.
    const { oldestPending, hasDelivered } = listed.get(account.id) ?? NOTHING_LISTED;
    const askedOn = historyAskedAt && dateInTimeZone(historyAskedAt, 'UTC');
    const gapFrom = earlier(until ?? askedOn, oldestPending);
    const isBounded = staleSince !== null && gapFrom !== null && gapFrom < boundOfStale;
    const settledUntil = isBounded ? boundOfStale : gapFrom;
    const partUntil = part && earlier(part.until, oldestPending);
    if (settledUntil !== null && !isHistoryDue(account, hasDelivered, context))
      coverage.completeUntil.set(externalId, settledUntil);
    else if (settledUntil !== null && until !== null) coverage.backfilled.set(externalId, settledUntil);
    // Nothing is known when an open pending transaction is older than the known part.
    else if (part?.from && partUntil && part.from < partUntil)
      coverage.partlyKnown.set(externalId, { from: part.from, until: partUntil });
  }
  return coverage;
}

/** Whether the whole history of an account is requested now. */
function isHistoryDue(
  { covered, createdAt, historyAskedAt }: Account,
  hasDelivered: boolean,
  { now, isManual }: CoverageContext,
): boolean {
  const isComplete = completeUntil(covered) !== null;
  const sinceMs = (moment: Date) => now.getTime() - moment.getTime();
  if (isComplete && (hasDelivered || sinceMs(createdAt) >= WEEKLY_BACKFILL_MS)) return false;
  if (!isComplete && isManual) return true;
  const intervalMs = !isComplete || sinceMs(createdAt) < DAILY_BACKFILL_MS ? DAILY_MS : WEEKLY_MS;
  return historyAskedAt === null || sinceMs(historyAskedAt) >= intervalMs;
}

/** What days the stored transactions of an account are of. */
interface ListedDays {
  /** `null`: none is pending, or only some that are too old to count. */
  oldestPending: CalendarDate | null;
  /** Whether there are transactions of about the oldest day that is wanted. */
  hasDelivered: boolean;
}

const NOTHING_LISTED: ListedDays = { oldestPending: null, hasDelivered: false };

/** By the ids of accounts. */
async function readListedDays(
  em: EntityManager,
  { userId, id, historyDays }: Connection,
  now: Date,
): Promise<Map<string, ListedDays>> {
  const today = dateInTimeZone(now, 'UTC');
  const earliestPendingDate = addDays(today, -MAX_PENDING_DAYS);
  const deliveredFrom = addDays(today, -Math.ceil(historyDays * (1 - OLDEST_PART)));
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('accounts as a')
    .select((eb) => {
      const listed = eb
        .selectFrom('transactions as t')
        .where('t.user_id', '=', userId)
        .whereRef('t.account_id', '=', 'a.id');
      return [
        'a.id',
        listed
          .where('t.pending', '=', true)
          .where('t.date', '>=', earliestPendingDate)
          .select(({ fn }) => fn.min('t.date').as('date'))
          .as('oldest_pending'),
        // Of an older account it does not matter.
        eb
          .and([
            eb('a.created_at', '>', new Date(now.getTime() - WEEKLY_BACKFILL_MS)),
            eb.exists(listed.where('t.date', '<=', deliveredFrom).select('t.id')),
          ])
          .as('has_delivered'),
      ];
    })
    .where('a.user_id', '=', userId)
    .where('a.connection_id', '=', id)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { oldestPending: row.oldest_pending, hasDelivered: Boolean(row.has_delivered) }]),
  );
}

function earlier(one: CalendarDate | null, other: CalendarDate | null): CalendarDate | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

type DaysById = ReadonlyMap<string, CalendarDate>;

/**
 * Completes the answer of a backfill. An answer that reaches back to the stored history is complete, even if the requests
 * ran out before its beginning.
 *
 * @param knownUntil by external id: the day up to which the account was complete
 */
export function completeWithKnownHistory(account: SnapshotAccount, knownUntil: DaysById): SnapshotAccount {
  const { externalId, coveredFrom } = account;
  const known = knownUntil.get(externalId);
  const reachesBack = known !== undefined && coveredFrom !== null && coveredFrom <= known;
  return reachesBack ? { ...account, complete: true } : account;
}

/** The same for all accounts. If all are complete, a rate limit that kept older days away is no problem. */
export function completeAllWithKnownHistory(snapshot: BankSnapshot, knownUntil: DaysById): BankSnapshot {
  const accounts = snapshot.accounts.map((account) => completeWithKnownHistory(account, knownUntil));
  const isWhole = accounts.every(({ complete }) => complete);
  const problems = snapshot.problems.filter(
    ({ kind, isOfOlderDays = false }) => !(isWhole && kind === 'rate_limited' && isOfOlderDays),
  );
  return { ...snapshot, accounts, problems };
}
