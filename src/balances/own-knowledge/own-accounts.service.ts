import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import { everythingOf } from '../../database/change-log/change.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { lockUser } from '../../database/lock-user.js';
import { usingSessionsFor } from '../../database/sessions/bounded-client.js';
import type { Caller } from '../../http/caller.js';
import { validationFailed } from '../../platform/domain-error.js';
import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { Account, MAX_ACCOUNTS_OF_PERSON, OWN } from '../accounts/account.entity.js';
import type { AccountType } from '../engine/ledger.js';
import { deriveAccountHistory } from '../history/derive-account-history.js';
import { type AmountIn, storeStated } from './statements.service.js';

export interface NewOwnAccount {
  name: string;
  accountType: AccountType;
  /** ISO 4217. */
  currency: string;
  includeInNetWorth: boolean;
  /** What it is worth on a day, by default today; `null`: nothing is said yet. */
  value: { date: CalendarDate | null; amountIn: AmountIn } | null;
}

/** Accounts that a person adds by hand, which no bank lists: a house, a pension, cash. */
@Injectable()
export class OwnAccountsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
  ) {}

  /** @returns its id @throws DomainError `validation_failed`, also where the person has as many as one may have */
  add({ userId, timeZone }: Pick<Caller, 'userId' | 'timeZone'>, { value, ...given }: NewOwnAccount): Promise<string> {
    const now = this.clock.now();
    const today = dateInTimeZone(now, timeZone);
    const id = randomUUID();
    const write = async (em: EntityManager) => {
      await lockUser(em, userId);
      if ((await em.count(Account, { userId })) >= MAX_ACCOUNTS_OF_PERSON)
        throw validationFailed([`name: you have ${MAX_ACCOUNTS_OF_PERSON} accounts, which is the limit`]);
      const account = em.create(Account, {
        userId,
        id,
        connectionId: null,
        provider: OWN,
        externalId: id,
        ...given,
        nameChosen: true,
        accountTypeChosen: true,
        institution: null,
        status: 'active',
        closedOn: null,
        hidden: false,
        holdingsSupported: null,
        holdingsRetryOn: null,
        covered: [],
        createdAt: now,
        updatedAt: now,
      });
      await em.persist(account).flush();
      noteChanges(userId, ...everythingOf(id));
      if (value) {
        await storeStated({ em, account, now, today }, value.date ?? today, value.amountIn);
        await deriveAccountHistory(em, account, today, ['stated_balance']);
      }
      await this.audit.record({ userId, kind: 'account_added', subjectId: id, subject: account.name });
    };
    return usingSessionsFor('background', () => this.em.transactional(write)).then(() => id);
  }
}
