import { hash } from 'node:crypto';
import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../../balances/accounts/account.entity.js';
import { Holding } from '../../../balances/holdings/holding.entity.js';
import type { BalanceReport } from '../../../balances/accounts/balance-report.entity.js';
import { insertRows } from '../../../database/insert-rows.js';
import { noteChanges } from '../../../database/change-log/note-changes.js';
import type {
  SnapshotAccount,
  SnapshotBalance,
  SnapshotHolding,
  SnapshotMoney,
} from '../../../providers/bank-provider.js';
import { addDays, type CalendarDate } from '../../../platform/time/calendar-date.js';

type Tables = InferClassEntityDB<typeof BalanceReport>;

/** A balance date that stands still for so long has stopped, unless it is used to that. */
const STILL_DAYS = 7;
/** The reports before a balance date stopped that say what it is used to. */
const RHYTHM_DAYS = 90;
/** So many changes of the balance date within four weeks are a rhythm. */
const MIN_MOVES = 5;

const NO_HOLDINGS = { items: null, total: null };

interface ObservedAt {
  at: Date;
  /** The day of `at` in the user's timezone. */
  day: CalendarDate;
}

/**
 * Stores the balance report of an answer. An equal report of the same day is skipped, unless transactions changed in between:
 * then it says that they did not move the balance.
 *
 * @returns whether it was stored
 */
export async function storeBalanceReport(
  em: EntityManager,
  { userId, id }: Account,
  snapshot: SnapshotAccount,
  moment: ObservedAt,
  transactionsChanged: boolean,
): Promise<boolean> {
  const report = reportOf(snapshot);
  if (!report) return false;
  const { balance, currency, positions, total, pending } = report;
  const digest = digestOf(report, moment.day);
  if (!transactionsChanged && digest === (await latestDigest(em, userId, id))) return false;
  const { number } = await em
    .getKysely<Tables>()
    .insertInto('observations')
    .values({
      user_id: userId,
      account_id: id,
      number: sql<number>`default`,
      observed_at: moment.at,
      day: moment.day,
      currency,
      balance_minor: balance.amountMinor,
      available_minor: balance.availableMinor,
      balance_date: balance.date,
      pending_minor: pending.map(String),
      has_holdings: positions !== null,
      holdings_total_minor: total?.amountMinor ?? null,
      holdings_total_currency: total?.currency ?? null,
      digest,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  noteChanges(userId, { kind: 'accounts', ids: [id] });
  if (positions) noteChanges(userId, { kind: 'holdings', accountId: id });
  const ofReport = { userId, accountId: id, reportNumber: number };
  const holdings = positions?.map((position) => ({ ...position, ...ofReport })) ?? [];
  await insertRows(em, Holding, holdings);
  return true;
}

/** Pending amounts in the account's own currency, sorted for the digest. */
function pendingAmounts({ transactions, currency }: SnapshotAccount): number[] {
  const pending = transactions.filter((row) => row.pending && row.currency === currency);
  return pending.map((row) => row.amountMinor).sort((a, b) => a - b);
}

interface Report {
  balance: SnapshotBalance;
  currency: string;
  /** `null`: not reported. */
  positions: readonly SnapshotHolding[] | null;
  total: SnapshotMoney | null;
  pending: number[];
}

/** The balance report of an answer; `null`: it has none. */
function reportOf(snapshot: SnapshotAccount): Report | null {
  const { balance, currency, holdings } = snapshot;
  if (!balance || currency === null) return null;
  const { items: positions, total } = holdings.status === 'available' ? holdings : NO_HOLDINGS;
  return { balance, currency, positions, total, pending: pendingAmounts(snapshot) };
}

/** Equal for equal reports of one day. */
function digestOf({ balance, currency, positions, total, pending }: Report, day: CalendarDate): string {
  const sorted = positions?.map((item) => JSON.stringify(item)).sort();
  return hash('sha256', JSON.stringify([day, currency, balance, pending, sorted, total]), 'base64url');
}

async function latestDigest(em: EntityManager, userId: string, accountId: string): Promise<string | undefined> {
  const latest = await em
    .getKysely<Tables>()
    .selectFrom('observations')
    .select('digest')
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .orderBy('observed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.digest;
}

/**
 * Whether the balance date of an answer stands still although it should have moved: the bank dates balances by its own
 * refresh, since the date of this account or of another one of the bank has moved without a change of the balance, or the
 * date of this account moved often. An account whose date was ever as old before is a quiet one. Raw, for `lag` over the
 * reports.
 */
export async function hasFeedStopped(
  em: EntityManager,
  { userId, id, connectionId, institution, closedOn }: Account,
  { balance }: SnapshotAccount,
  today: CalendarDate,
): Promise<boolean> {
  const date = balance?.date ?? null;
  if (date === null || date > addDays(today, -STILL_DAYS) || closedOn !== null) return false;
  const { rows } = await sql<{ isQuiet: boolean; refreshes: number; stills: number; moves: number }>`
    select coalesce(bool_or(is_own and day - balance_date >= ${STILL_DAYS}::int
        and (balance_date < newest or before_date is null)), true) as "isQuiet",
      count(*) filter (where is_same and balance_date > before_date)::int as refreshes,
      count(*) filter (where is_same and balance_date = before_date and balance_date < newest and day > before_day)::int
        as stills,
      count(*) filter (where is_own and balance_date > before_date and balance_date > ${addDays(date, -28)}::date)::int
        as moves
    from (
      select account_id = ${id} as is_own, day, balance_date, lag(day) over reported as before_day,
        lag(balance_date) over reported as before_date,
        balance_minor = lag(balance_minor) over reported as is_same,
        max(balance_date) over (partition by account_id) as newest
      from reports
      where user_id = ${userId} and balance_date is not null and day > ${addDays(date, -RHYTHM_DAYS)}::date
        and account_id in (
          select id from accounts
          where user_id = ${userId} and (id = ${id} or connection_id = ${connectionId} and institution = ${institution})
        )
      window reported as (partition by account_id order by observed_at)
    ) pairs
  `.execute(em.getKysely());
  const { isQuiet, refreshes, stills, moves } = rows[0]!;
  return !isQuiet && (refreshes > stills || moves >= MIN_MOVES);
}
