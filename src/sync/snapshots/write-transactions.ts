import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { incomingRows } from './incoming-rows.js';

export interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

/**
 * Brings the stored transactions of an account to what a snapshot says: missing rows are added, differing rows updated
 * in place (they keep their id), equal rows not touched. The natural key is the provider's id within the account. A day
 * that is only a guess never replaces a stored one.
 */
export async function writeTransactions(
  em: EntityManager,
  { userId, id }: Account,
  transactions: readonly SnapshotTransaction[],
  seenAt: Date,
): Promise<Omit<TransactionCounts, 'removed'>> {
  if (transactions.length === 0) return { added: 0, updated: 0 };
  const { rows } = await sql<{ added: number; updated: number }>`
    with incoming as (${incomingRows(transactions)}),
    differing as (
      select incoming.*, stored.id as stored_id
      from incoming left join transactions stored
        on stored.user_id = ${userId} and stored.account_id = ${id} and stored.external_id = incoming.external_id
      where stored.id is null
        or (stored.date, stored.amount_minor, stored.currency, stored.description, stored.merchant, stored.pending)
          is distinct from (case when date_is_guess then stored.date else incoming.date end, incoming.amount_minor,
            incoming.currency, incoming.description, incoming.merchant, incoming.pending)
    ),
    updated as (
      update transactions stored set
        date = case when date_is_guess then stored.date else differing.date end,
        amount_minor = differing.amount_minor, currency = differing.currency,
        description = differing.description, merchant = differing.merchant, pending = differing.pending,
        first_seen_at = case when stored.pending and not differing.pending then ${seenAt} else stored.first_seen_at end,
        missing_since = null,
        updated_at = now()
      from differing
      where stored.user_id = ${userId} and stored.account_id = ${id} and stored.id = differing.stored_id
      returning 1
    ),
    added as (
      insert into transactions
        (user_id, account_id, external_id, date, amount_minor, currency, description, merchant, pending, first_seen_at)
      select ${userId}, ${id}, external_id, date, amount_minor, currency, description, merchant, pending, ${seenAt}
      from differing where stored_id is null
      returning 1
    )
    select (select count(*) from added)::integer as added, (select count(*) from updated)::integer as updated
  `.execute(em.getKysely());
  return rows[0] ?? { added: 0, updated: 0 };
}
