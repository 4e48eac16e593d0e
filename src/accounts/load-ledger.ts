import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Entry, Ledger, Observation, Position } from '../balance-engine/ledger.js';
import type { Account } from './account.entity.js';

// Raw, since the builder neither casts nor calculates with days. Days and amounts leave PostgreSQL as float8: exact for every
// safe integer, and numbers in JavaScript.

interface ReportRow {
  observedAt: number;
  /** When its holdings were observed. */
  holdingsAt: number;
  day: number;
  balanceMinor: number;
  balanceDay: number | null;
  pendingMinor: number[];
  hasHoldings: boolean;
}

interface VersionRow {
  listedFrom: number;
  listedUntil: number | null;
  keys: string;
  days: string;
  amounts: string;
}

/** Everything about an account that its history depends on. `until` is a day number. */
export async function loadLedger(em: EntityManager, account: Account, until: number): Promise<Ledger> {
  const entries = await loadVersions(em, account);
  const positions = await loadPositions(em, account);
  const reports = await loadReports(em, account);
  const observations = reports.map(({ hasHoldings, holdingsAt, ...observation }): Observation => ({
    ...observation,
    holdings: hasHoldings ? (positions.get(holdingsAt) ?? []) : null,
  }));
  return { accountType: account.accountType, until, entries, observations };
}

/**
 * Every version of every posted transaction in the account's own currency. Other currencies have no known rate and are
 * never counted 1:1. Excluded are versions that began and ended with the same answer, and those of a merged account's
 * duplicates: no report includes them. All rows first listed at the same time are one result row, because a row each
 * costs several times more than three joined texts.
 */
export async function loadVersions(em: EntityManager, { userId, id, currency }: Account): Promise<Entry[]> {
  const { rows } = await sql<VersionRow>`
    select extract(epoch from listed_from)::float8 * 1000 as "listedFrom",
      extract(epoch from listed_until)::float8 * 1000 as "listedUntil", string_agg(id::text, ',') as keys,
      string_agg((date - date '1970-01-01')::text, ',') as days, string_agg(amount_minor::text, ',') as amounts
    from (
      select id, date, amount_minor, coalesce(listed_from, first_seen_at) as listed_from,
        null::timestamptz as listed_until
      from transactions
      where user_id = ${userId} and account_id = ${id} and not pending and currency = ${currency}
      union all
      select transaction_id, date, amount_minor, listed_from, listed_until from transaction_versions
      where user_id = ${userId} and account_id = ${id} and currency = ${currency}
        and reason <> 'merged' and listed_until > listed_from
    ) versions
    group by listed_from, listed_until
  `.execute(em.getKysely());
  return rows.flatMap(({ listedFrom, listedUntil, keys, days, amounts }) => {
    const keyOf = keys.split(',');
    const amountOf = amounts.split(',');
    return days.split(',').map((day, index) => ({
      key: keyOf[index]!,
      day: Number(day),
      amountMinor: Number(amountOf[index]),
      listedFrom,
      listedUntil,
    }));
  });
}

/** The reports in the account's present currency since the last one in another. Amounts are never relabelled. */
async function loadReports(em: EntityManager, { userId, id, currency }: Account): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select extract(epoch from observed_at)::float8 * 1000 as "observedAt",
      extract(epoch from holdings_at)::float8 * 1000 as "holdingsAt", (day - date '1970-01-01')::float8 as day,
      balance_minor::float8 as "balanceMinor", (balance_date - date '1970-01-01')::float8 as "balanceDay",
      pending_minor::float8[] as "pendingMinor", has_holdings as "hasHoldings"
    from reports
    where user_id = ${userId} and account_id = ${id} and currency = ${currency}
      and observed_at > coalesce((
        select max(observed_at) from reports other
        where other.user_id = ${userId} and other.account_id = ${id} and other.currency <> ${currency}
      ), '-infinity')
    order by observed_at
  `.execute(em.getKysely());
  return rows;
}

/** By time of observation. Money-market funds are cash, and a position in another currency has no known rate. */
async function loadPositions(em: EntityManager, { userId, id, currency }: Account): Promise<Map<number, Position[]>> {
  const { rows } = await sql<Position & { observedAt: number }>`
    select extract(epoch from observed_at)::float8 * 1000 as "observedAt", external_id as key,
      quantity::float8 as quantity, value_minor::float8 as "valueMinor"
    from holdings
    where user_id = ${userId} and account_id = ${id} and not cash_equivalent and currency = ${currency}
    order by observed_at, external_id
  `.execute(em.getKysely());
  const byMoment = new Map<number, Position[]>();
  for (const { observedAt, ...position } of rows) {
    const positions = byMoment.get(observedAt);
    if (positions) positions.push(position);
    else byMoment.set(observedAt, [position]);
  }
  return byMoment;
}
