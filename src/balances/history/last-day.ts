import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { type Account, isFollowed } from '../../accounts/account.entity.js';
import type { BalanceReport } from '../../accounts/balance-report.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { BalanceSpan } from '../record/balance-span.entity.js';

type Tables = InferClassEntityDB<typeof BalanceSpan | typeof BalanceReport>;

/**
 * The last day of an account's history: today while the account is synced. The balance of any other account is unknown
 * after its last day.
 *
 * @param today in the person's timezone
 */
export async function lastDayOf(em: EntityManager, account: Account, today: CalendarDate): Promise<CalendarDate> {
  if (isFollowed(account)) return today;
  const { userId, id } = account;
  const { day } = await em
    .getKysely<Tables>()
    .selectNoFrom((eb) => {
      const spans = eb.selectFrom('balance_spans').where('user_id', '=', userId).where('account_id', '=', id);
      const reports = eb.selectFrom('observations').where('user_id', '=', userId).where('account_id', '=', id);
      const lastDays = [
        spans.select(({ fn }) => fn.max('last_date').as('day')),
        reports.select(({ fn }) => fn.max('day').as('day')),
      ];
      return eb.fn<CalendarDate | null>('greatest', lastDays).as('day');
    })
    .executeTakeFirstOrThrow();
  return day ?? today;
}

/** The day on which a current history ends: today, or the account's last day. */
export function dueLastDay({ closedOn }: Account, today: CalendarDate): CalendarDate {
  return closedOn !== null && closedOn < today ? closedOn : today;
}

/**
 * Whether the stored history of an account ends on a day, or with the account. Then it is current unless facts changed.
 */
export async function historyReaches(em: EntityManager, account: Account, day: CalendarDate): Promise<boolean> {
  const span = await em
    .getKysely<Tables>()
    .selectFrom('balance_spans')
    .select('last_date')
    .where('user_id', '=', account.userId)
    .where('account_id', '=', account.id)
    .where('last_date', '=', dueLastDay(account, day))
    .executeTakeFirst();
  return span !== undefined;
}
