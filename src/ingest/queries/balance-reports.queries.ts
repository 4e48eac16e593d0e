import { hash } from 'node:crypto';
import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { Holding } from '../../accounts/holdings/holding.entity.js';
import { BalanceReport } from '../../accounts/balance-report.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type {
  SnapshotAccount,
  SnapshotBalance,
  SnapshotHolding,
  SnapshotMoney,
} from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';

type Tables = InferClassEntityDB<typeof BalanceReport>;

const NO_HOLDINGS = { items: null, total: null };
/** PostgreSQL takes 65,535 parameters, and a row has twelve. */
const MAX_ROWS_PER_STATEMENT = 5_000;

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
  const observedAt = await freeMoment(em, userId, id, moment.at);
  await em.insert(BalanceReport, {
    userId,
    accountId: id,
    observedAt,
    day: moment.day,
    currency,
    balanceMinor: balance.amountMinor,
    availableMinor: balance.availableMinor,
    balanceDate: balance.date,
    pendingMinor: pending.map(String),
    hasHoldings: positions !== null,
    holdingsTotalMinor: total?.amountMinor ?? null,
    holdingsTotalCurrency: total?.currency ?? null,
    digest,
  });
  noteChanges(userId, { kind: 'accounts', ids: [id] });
  if (positions) noteChanges(userId, { kind: 'holdings', accountId: id });
  if (positions?.length) await insertHoldings(em, userId, id, observedAt, positions);
  return true;
}

/** The first moment from `at` that has no report: it is part of the key, and two instances may read at the same one. */
async function freeMoment(em: EntityManager, userId: string, accountId: string, at: Date): Promise<Date> {
  const isTaken = await em.count(BalanceReport, { userId, accountId, observedAt: at });
  return isTaken ? freeMoment(em, userId, accountId, new Date(at.getTime() + 1)) : at;
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

/** Whether the balance report of an answer, if it has one, is the newest that is stored. */
export function hasSameReport(snapshot: SnapshotAccount, day: CalendarDate, storedDigest: string | null): boolean {
  const report = reportOf(snapshot);
  return report === null || digestOf(report, day) === storedDigest;
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

async function insertHoldings(
  em: EntityManager,
  userId: string,
  accountId: string,
  at: Date,
  items: readonly SnapshotHolding[],
): Promise<void> {
  const rows = items.map((item) => ({ ...item, userId, accountId, observedAt: at }));
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
    await em.insertMany(Holding, rows.slice(start, start + MAX_ROWS_PER_STATEMENT));
  }
}
