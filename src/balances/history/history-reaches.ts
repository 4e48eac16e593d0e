import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { BalanceSpan } from '../record/balance-span.entity.js';

/** The day on which a current history ends: today, or the account's last day. */
export function dueLastDay({ closedOn }: Account, today: CalendarDate): CalendarDate {
  return closedOn !== null && closedOn < today ? closedOn : today;
}

/**
 * Whether the stored history of an account ends on a day, or with the account. Then it is current unless facts changed.
 */
export async function historyReaches(em: EntityManager, account: Account, day: CalendarDate): Promise<boolean> {
  const span = await em
    .getKysely<InferClassEntityDB<typeof BalanceSpan>>()
    .selectFrom('balance_spans')
    .select('last_date')
    .where('user_id', '=', account.userId)
    .where('account_id', '=', account.id)
    .where('last_date', '=', dueLastDay(account, day))
    .executeTakeFirst();
  return span !== undefined;
}
