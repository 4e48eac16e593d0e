import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { textArray } from './array-literal.js';
import type { News } from './find-news.js';
import { incomingRows } from './incoming-rows.js';

const CONTENT = sql`pending, date, amount_minor, currency, description, merchant`;

/**
 * Before the rows of an answer are written: some banks give the same transaction another id in every answer. A stored row
 * that is not listed any more and a row that was never seen before, with the same content, are one transaction: the
 * stored one takes over the new id. One to one, so that equal purchases stay as many as they are.
 *
 * @returns the fresh rows that remain
 */
export async function settleIds(
  em: EntityManager,
  { userId, id }: Account,
  transactions: readonly SnapshotTransaction[],
  { fresh, since, hasUnlisted }: News,
): Promise<ReadonlySet<SnapshotTransaction>> {
  if (fresh.size === 0 || !hasUnlisted) return fresh;
  const { rows } = await sql<{ external_id: string }>`
    with fresh as (
      select *, row_number() over (partition by ${CONTENT} order by external_id) as nth
      from (${incomingRows([...fresh])}) incoming
    ),
    gone as (
      select *, row_number() over (partition by ${CONTENT} order by first_seen_at, id) as nth
      from transactions
      where user_id = ${userId} and account_id = ${id} and date >= ${since}
        and external_id <> all (${textArray(transactions.map(({ externalId }) => externalId))}::text[])
    )
    update transactions stored set external_id = fresh.external_id
    from gone join fresh using (pending, date, amount_minor, currency, description, nth)
    where stored.user_id = ${userId} and stored.account_id = ${id} and stored.id = gone.id
      and gone.merchant is not distinct from fresh.merchant
    returning stored.external_id
  `.execute(em.getKysely());
  const settled = new Set(rows.map(({ external_id }) => external_id));
  return new Set([...fresh].filter(({ externalId }) => !settled.has(externalId)));
}
