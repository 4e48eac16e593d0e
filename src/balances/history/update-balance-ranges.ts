import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import type { Balance } from '../record/balance.entity.js';
import type { BalanceRange } from '../record/balance-range.entity.js';

/** Updates the range of an account's records in each currency, after they changed. */
export async function updateBalanceRanges(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
): Promise<void> {
  const kysely = em.getKysely<InferClassEntityDB<typeof Balance | typeof BalanceRange>>();
  const records = kysely.selectFrom('balances').where('user_id', '=', userId).where('account_id', '=', id);
  await kysely
    .deleteFrom('balance_spans')
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('currency', 'not in', records.select('currency'))
    .execute();
  await kysely
    .insertInto('balance_spans')
    .columns(['user_id', 'account_id', 'currency', 'first_date', 'last_date', 'record_count'])
    .expression(
      records
        .select(['user_id', 'account_id', 'currency'])
        .select(({ fn }) => [
          fn.min('date').as('first_date'),
          fn.max('date').as('last_date'),
          fn.countAll<number>().as('record_count'),
        ])
        .groupBy(['user_id', 'account_id', 'currency']),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'account_id', 'currency']).doUpdateSet((eb) => ({
        first_date: eb.ref('excluded.first_date'),
        last_date: eb.ref('excluded.last_date'),
        record_count: eb.ref('excluded.record_count'),
      })),
    )
    .execute();
}
