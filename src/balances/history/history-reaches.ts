import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { BalanceSpan } from '../record/balance-span.entity.js';

/**
 * Whether the stored history of an account ends on a day, or with the account. Then it is current unless facts changed.
 */
export async function historyReaches(em: EntityManager, account: Account, day: CalendarDate): Promise<boolean> {
  const { closedOn } = account;
  const lastDay = closedOn !== null && closedOn < day ? closedOn : day;
  const span = await em
    .getKysely<InferClassEntityDB<typeof BalanceSpan>>()
    .selectFrom('balance_spans')
    .select('last_date')
    .where('user_id', '=', account.userId)
    .where('account_id', '=', account.id)
    .where('last_date', '=', lastDay)
    .executeTakeFirst();
  return span !== undefined;
}
