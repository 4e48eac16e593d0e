import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';

/** Updates the runs of days with records of an account, after its records changed. Raw, for days as numbers. */
export async function updateBalanceRanges(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
): Promise<void> {
  const kysely = em.getKysely();
  await sql`delete from balance_spans where user_id = ${userId} and account_id = ${id}`.execute(kysely);
  // Days in a row differ from their number in the currency by the same.
  await sql`
    insert into balance_spans (user_id, account_id, currency, first_date, last_date)
    select user_id, account_id, currency, min(date), max(date)
    from (
      select user_id, account_id, currency, date, date - (row_number() over (partition by currency order by date))::integer as run
      from balances where user_id = ${userId} and account_id = ${id}
    ) days
    group by user_id, account_id, currency, run
  `.execute(kysely);
}
