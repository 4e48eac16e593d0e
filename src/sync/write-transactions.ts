import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';

export interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

/**
 * Brings the stored transactions of an account to what a snapshot says: missing rows are added, differing rows updated
 * in place (they keep their id), equal rows not touched. The natural key is the provider's id within the account.
 */
export async function writeTransactions(
  em: EntityManager,
  { userId, id }: Account,
  transactions: readonly SnapshotTransaction[],
  seenAt: Date,
): Promise<Omit<TransactionCounts, 'removed'>> {
  if (transactions.length === 0) return { added: 0, updated: 0 };
  const column = <T>(pick: (transaction: SnapshotTransaction) => T) => transactions.map(pick);
  const { rows } = await sql<{ added: number; updated: number }>`
    with incoming as (
      select * from unnest(
        ${column((row) => row.externalId)}::text[], ${column((row) => row.date)}::date[],
        ${column((row) => row.amountMinor)}::bigint[], ${column((row) => row.currency)}::text[],
        ${column((row) => row.description)}::text[], ${column((row) => row.merchant)}::text[],
        ${column((row) => row.pending)}::boolean[]
      ) as row (external_id, date, amount_minor, currency, description, merchant, pending)
    ),
    updated as (
      update transactions stored set
        date = incoming.date, amount_minor = incoming.amount_minor, currency = incoming.currency,
        description = incoming.description, merchant = incoming.merchant, pending = incoming.pending,
        first_seen_at = case when stored.pending and not incoming.pending then ${seenAt} else stored.first_seen_at end,
        missing_since = null,
        updated_at = now()
      from incoming
      where stored.user_id = ${userId} and stored.account_id = ${id} and stored.external_id = incoming.external_id
        and (stored.date, stored.amount_minor, stored.currency, stored.description, stored.merchant, stored.pending)
          is distinct from (incoming.date, incoming.amount_minor, incoming.currency, incoming.description,
            incoming.merchant, incoming.pending)
      returning 1
    ),
    added as (
      insert into transactions
        (user_id, account_id, external_id, date, amount_minor, currency, description, merchant, pending, first_seen_at)
      select ${userId}, ${id}, external_id, date, amount_minor, currency, description, merchant, pending, ${seenAt}
      from incoming
      where not exists (
        select from transactions stored
        where stored.user_id = ${userId} and stored.account_id = ${id} and stored.external_id = incoming.external_id
      )
      returning 1
    )
    select (select count(*) from added)::integer as added, (select count(*) from updated)::integer as updated
  `.execute(em.getKysely());
  return rows[0] ?? { added: 0, updated: 0 };
}
