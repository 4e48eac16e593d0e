import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../../accounts/account.entity.js';
import { recordNotFound } from '../../http/errors/api-error.js';
import { isUuid } from '../../http/input/validators.js';
import { everythingOf } from '../../change-log/change.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type { AccountType } from '../../balance-engine/ledger.js';
import { usingSessionsFor } from '../../database/sessions/session-limits.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { deriveAccountHistory } from '../history/derive-account-history.js';

const HELD = { lockMode: LockMode.PESSIMISTIC_WRITE };

export interface AccountChanges {
  name?: string | undefined;
  accountType?: AccountType | undefined;
}

/** Edits accounts. What a person chose is never overwritten by a sync; another type makes another history. */
@Injectable()
export class EditAccountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `record_not_found` */
  async edit(
    { userId, timeZone }: { userId: string; timeZone: string },
    id: string,
    { name, accountType }: AccountChanges,
  ): Promise<void> {
    const now = this.clock.now();
    const editAccount = async (em: EntityManager) => {
      // Held, so that no sync derives from the old type beside us.
      const account = isUuid(id) ? await em.findOne(Account, { userId, id }, HELD) : null;
      if (!account) throw recordNotFound('account');
      if (name !== undefined) Object.assign(account, { name, nameChosen: true });
      if (accountType) Object.assign(account, { accountType, accountTypeChosen: true });
      account.updatedAt = now;
      noteChanges(userId, ...everythingOf(id), { kind: 'connections' });
      await em.flush();
      if (accountType) await deriveAccountHistory(em, account, dateInTimeZone(now, timeZone));
    };
    await usingSessionsFor(accountType ? 'background' : 'request', () => this.em.transactional(editAccount));
  }
}
