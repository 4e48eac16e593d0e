import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';

/** Updates the range of an account's records in each currency, after they changed. */
export async function recountSpans(em: EntityManager, { userId, id }: Pick<Account, 'userId' | 'id'>): Promise<void> {
  const counted = sql`
    select user_id, account_id, currency, min(date) as first_date, max(date) as last_date, count(*) as record_count
    from balances where user_id = ${userId} and account_id = ${id} group by user_id, account_id, currency`;
  await sql`
    delete from balance_spans
    where user_id = ${userId} and account_id = ${id} and currency not in (select currency from (${counted}) counted)
  `.execute(em.getKysely());
  await sql`
    insert into balance_spans (user_id, account_id, currency, first_date, last_date, record_count) ${counted}
    on conflict (user_id, account_id, currency) do update set
      first_date = excluded.first_date, last_date = excluded.last_date, record_count = excluded.record_count
  `.execute(em.getKysely());
}
