import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';

const CONTENT = sql`pending, date, amount_minor, currency, description, merchant`;

/**
 * Before the rows of an answer are written: some banks give the same transaction another id in every answer. A stored row
 * that is not listed any more and a row that was never seen before, with the same content, are one transaction: the
 * stored one takes over the new id. One to one, so that equal purchases stay as many as they are.
 */
export async function settleIds(
  em: EntityManager,
  { userId, id }: Account,
  transactions: readonly SnapshotTransaction[],
): Promise<void> {
  if (transactions.length === 0) return;
  const column = <T>(pick: (transaction: SnapshotTransaction) => T) => transactions.map(pick);
  await sql`
    with listed as (
      select * from unnest(
        ${column((row) => row.externalId)}::text[], ${column((row) => row.pending)}::boolean[],
        ${column((row) => row.date)}::date[], ${column((row) => row.amountMinor)}::bigint[],
        ${column((row) => row.currency)}::text[], ${column((row) => row.description)}::text[],
        ${column((row) => row.merchant)}::text[]
      ) as row (external_id, ${CONTENT})
    ),
    mine as (
      select * from transactions
      where user_id = ${userId} and account_id = ${id} and date >= (select min(date) from listed)
    ),
    gone as (
      select *, row_number() over (partition by ${CONTENT} order by first_seen_at, id) as nth
      from mine where not exists (select from listed where listed.external_id = mine.external_id)
    ),
    fresh as (
      select *, row_number() over (partition by ${CONTENT} order by external_id) as nth
      from listed where not exists (
        select from transactions known
        where known.user_id = ${userId} and known.account_id = ${id} and known.external_id = listed.external_id
      )
    )
    update transactions stored set external_id = fresh.external_id
    from gone join fresh using (pending, date, amount_minor, currency, description, nth)
    where stored.user_id = ${userId} and stored.account_id = ${id} and stored.id = gone.id
      and gone.merchant is not distinct from fresh.merchant
  `.execute(em.getKysely());
}
