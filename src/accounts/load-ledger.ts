import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Entry, Ledger, Observation, Position } from '../balance-engine/ledger.js';
import type { Account } from './account.entity.js';

// Days and amounts leave PostgreSQL as float8: exact for every safe integer, and numbers in JavaScript.

interface ObservationRow {
  observedAt: number;
  day: number;
  balanceMinor: number;
  balanceDay: number | null;
  pendingMinor: number[];
  hasHoldings: boolean;
}

/** Everything known about an account that decides its history. `until` is a day number. */
export async function loadLedger(em: EntityManager, account: Account, until: number): Promise<Ledger> {
  const entries = await loadEntries(em, account);
  const positions = await loadPositions(em, account);
  const observations = (await loadObservations(em, account)).map(({ hasHoldings, ...observation }): Observation => ({
    ...observation,
    holdings: hasHoldings ? (positions.get(observation.observedAt) ?? []) : null,
  }));
  return { accountType: account.accountType, until, entries, observations };
}

/**
 * Booked rows in the account's own currency; what is in another has no known rate and is never taken 1:1. One result row
 * for all that was first seen at the same moment, since a row each costs several times more than the text of two lists.
 */
async function loadEntries(em: EntityManager, { userId, id, currency }: Account): Promise<Entry[]> {
  const { rows } = await sql<{ listedFrom: number; keys: string; days: string; amounts: string }>`
    select extract(epoch from first_seen_at)::float8 * 1000 as "listedFrom",
      string_agg(id::text, ',') as keys, string_agg((date - date '1970-01-01')::text, ',') as days, string_agg(amount_minor::text, ',') as amounts
    from transactions
    where user_id = ${userId} and account_id = ${id} and not pending and currency = ${currency}
    group by first_seen_at
  `.execute(em.getKysely());
  return rows.flatMap(({ listedFrom, keys, days, amounts }) => {
    const keyOf = keys.split(',');
    const amountOf = amounts.split(',');
    return days.split(',').map((day, index) => {
      const version = { key: keyOf[index]!, day: Number(day), amountMinor: Number(amountOf[index]) };
      return { ...version, listedFrom, listedUntil: null };
    });
  });
}

async function loadObservations(em: EntityManager, { userId, id }: Account): Promise<ObservationRow[]> {
  const { rows } = await sql<ObservationRow>`
    select extract(epoch from observed_at)::float8 * 1000 as "observedAt", (day - date '1970-01-01')::float8 as day,
      balance_minor::float8 as "balanceMinor", (balance_date - date '1970-01-01')::float8 as "balanceDay",
      pending_minor::float8[] as "pendingMinor", has_holdings as "hasHoldings"
    from observations
    where user_id = ${userId} and account_id = ${id}
    order by observed_at
  `.execute(em.getKysely());
  return rows;
}

/** By moment of observation. Money-market funds are cash, and a position in another currency has no known rate. */
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
