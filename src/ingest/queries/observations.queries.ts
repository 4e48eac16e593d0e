import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type { SnapshotAccount, SnapshotHolding } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';

const NO_HOLDINGS = { items: null, total: null };

interface ObservedAt {
  at: Date;
  /** The day of `at` in the user's timezone. */
  day: CalendarDate;
}

/**
 * Stores what the provider reported about an account. An equal report on the same day is skipped, unless transactions
 * changed in between: then it shows that the balance did not move while they came.
 *
 * @returns whether it was stored
 */
export async function recordObservation(
  em: EntityManager,
  { userId, id }: Account,
  snapshot: SnapshotAccount,
  moment: ObservedAt,
  transactionsChanged: boolean,
): Promise<boolean> {
  const { balance, currency, holdings } = snapshot;
  if (!balance || currency === null) return false;
  const { items: positions, total } = holdings.status === 'available' ? holdings : NO_HOLDINGS;
  const pending = pendingAmounts(snapshot);
  const digest = digestOf([
    moment.day,
    currency,
    balance,
    pending,
    positions?.map((item) => JSON.stringify(item)).sort(),
    total,
  ]);
  if (!transactionsChanged && digest === (await latestDigest(em, userId, id))) return false;
  // One moment has one report. A clock that was set back must not cause an error.
  const { numAffectedRows: replaced } = await sql`
    delete from observations where user_id = ${userId} and account_id = ${id} and observed_at = ${moment.at}
  `.execute(em.getKysely());
  await sql`
    insert into observations (user_id, account_id, observed_at, day, currency, balance_minor, available_minor, balance_date,
      pending_minor, has_holdings, holdings_total_minor, holdings_total_currency, digest)
    values (${userId}, ${id}, ${moment.at}, ${moment.day}, ${currency}, ${balance.amountMinor}, ${balance.availableMinor},
      ${balance.date}, ${pending}::bigint[], ${positions !== null},
      ${total?.amountMinor}, ${total?.currency}, ${digest})
  `.execute(em.getKysely());
  noteChanges(userId, { kind: 'accounts', ids: [id] });
  if (positions || replaced) noteChanges(userId, { kind: 'holdings', accountId: id });
  if (positions?.length) await insertHoldings(em, userId, id, moment.at, positions);
  return true;
}

/** Pending amounts in the account's own currency, in an order that does not depend on the answer's. */
function pendingAmounts({ transactions, currency }: SnapshotAccount): number[] {
  const pending = transactions.filter((row) => row.pending && row.currency === currency);
  return pending.map((row) => row.amountMinor).sort((a, b) => a - b);
}

function digestOf(report: unknown): string {
  return createHash('sha256').update(JSON.stringify(report)).digest('base64url');
}

async function latestDigest(em: EntityManager, userId: string, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string }>`
    select digest from observations where user_id = ${userId} and account_id = ${accountId}
    order by observed_at desc limit 1
  `.execute(em.getKysely());
  return rows[0]?.digest;
}

async function insertHoldings(
  em: EntityManager,
  userId: string,
  accountId: string,
  at: Date,
  items: readonly SnapshotHolding[],
): Promise<void> {
  const rows = items.map(
    (item) => sql`(${userId}, ${accountId}, ${at}, ${item.externalId}, ${item.symbol}, ${item.name}, ${item.quantity},
      ${item.price}, ${item.valueMinor}, ${item.currency}, ${item.costBasisMinor}, ${item.cashEquivalent})`,
  );
  await sql`
    insert into holdings (user_id, account_id, observed_at, external_id, symbol, name, quantity, price, value_minor, currency,
      cost_basis_minor, cash_equivalent)
    values ${sql.join(rows)}
  `.execute(em.getKysely());
}
