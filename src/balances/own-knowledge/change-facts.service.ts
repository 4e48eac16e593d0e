import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { usingSessionsFor } from '../../database/sessions/bounded-client.js';
import type { Caller } from '../../http/caller.js';
import { validationFailed } from '../../platform/domain-error.js';
import { type CalendarDate, dateInTimeZone, isCalendarDate } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { Account, findAccount } from '../accounts/account.entity.js';
import { deriveAccountHistory } from '../history/derive-account-history.js';
import type { RestatementReason } from '../record/keep-versions.js';

/** What a change of an account's facts is done with. */
export interface FactChange {
  em: EntityManager;
  account: Account;
  now: Date;
  /** Where the person is. */
  today: CalendarDate;
}

/** People say nothing of earlier days. */
export const FIRST_DAY: CalendarDate = '1970-01-01';

/** @throws DomainError `validation_failed` for a day of which people say nothing */
export function requireDay(date: CalendarDate, { today }: Pick<FactChange, 'today'>): void {
  if (!isCalendarDate(date)) throw validationFailed(['date must be a date (YYYY-MM-DD)']);
  if (date < FIRST_DAY) throw validationFailed([`date must not be before ${FIRST_DAY}`]);
  if (date > today) throw validationFailed(['date must not be in the future']);
}

/** Changes what people know of an account, and derives its history from that. */
@Injectable()
export class ChangeFactsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Does the change and derives the history in one transaction. The account is locked, so that no sync derives without it.
   *
   * @param reason why balances are restated, for a person
   * @throws DomainError `record_not_found`: the account, and what `change` throws
   */
  change<Result>(
    { userId, timeZone }: Pick<Caller, 'userId' | 'timeZone'>,
    accountId: string,
    reason: RestatementReason,
    change: (facts: FactChange) => Promise<Result>,
  ): Promise<Result> {
    const now = this.clock.now();
    const today = dateInTimeZone(now, timeZone);
    const write = async (em: EntityManager) => {
      const account = await findAccount(em, userId, accountId, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const result = await change({ em, account, now, today });
      await em.flush();
      noteChanges(userId, { kind: 'accounts', ids: [account.id] });
      await deriveAccountHistory(em, account, today, [reason]);
      return result;
    };
    return usingSessionsFor('background', () => this.em.transactional(write));
  }
}
