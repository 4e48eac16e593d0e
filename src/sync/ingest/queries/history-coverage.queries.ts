import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../../balances/accounts/account.entity.js';
import type { Transaction } from '../../../balances/transactions/transaction.entity.js';
import { addDays, type CalendarDate, dateInTimeZone, DAY_MS } from '../../../platform/time/calendar-date.js';
import { completeUntil, type CoveredDays, daysBefore, withDays } from '../../../platform/time/covered-days.js';
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

/**
 * Finds out which days of each account need not be fetched, by external id: those without a gap and without an open pending
 * transaction, because only an answer that reaches back to it shows what became of it. One older than two months does not
 * count: a bank that dates it wrongly would be asked for all days since.
 *
 * The whole history is requested
 * - of a new account;
 * - of a complete account daily for three days and then weekly for two months, unless its bank has delivered all that
 *   is wanted;
 * - of an account that was never complete daily, and whenever a person asks, without the days that are covered. In between
 *   it counts as covered until the day of the last request.
 *
 * @param accounts of the connection
 */
export async function historyCoverage(
  em: EntityManager,
  connection: Connection,
  accounts: readonly Account[],
  context: CoverageContext,
): Promise<Map<string, CoveredDays>> {
  const listed = await readListedDays(em, connection, context.now);
  const days = accounts.map((account) => {
    // An account that was added meanwhile has delivered nothing.
    return [account.externalId, coveredDays(account, listed.get(account.id) ?? NOTHING_LISTED, context)] as const;
  });
  return new Map(days);
}

function coveredDays(
  account: Account,
  { oldestPending, hasDelivered }: ListedDays,
  context: CoverageContext,
): CoveredDays {
  const { covered, staleSince, historyAskedAt } = account;
  const settled = (days: CoveredDays) => (oldestPending === null ? days : daysBefore(days, oldestPending));
  const isComplete = completeUntil(covered) !== null;
  if (isHistoryDue(account, hasDelivered, context)) return isComplete ? [] : settled(covered);
  const known = settled(isComplete ? covered : [{ from: null, until: dateInTimeZone(historyAskedAt!, 'UTC') }]);
  const boundOfStale = addDays(dateInTimeZone(context.now, 'UTC'), -STALE_DAYS);
  return staleSince === null ? known : withDays(known, { from: null, until: boundOfStale });
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
            eb.exists(listed.where('t.source', '=', 'bank').where('t.date', '<=', deliveredFrom).select('t.id')),
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
