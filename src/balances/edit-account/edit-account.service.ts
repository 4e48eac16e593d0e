import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Account, findAccount } from '../accounts/account.entity.js';
import { DomainError, rateLimitExceeded } from '../../platform/domain-error.js';
import { everythingOf } from '../../database/change-log/change.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import type { AccountType } from '../engine/ledger.js';
import { usingSessionsFor } from '../../database/sessions/bounded-client.js';
import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { deriveAccountHistory } from '../history/derive-account-history.js';

/** Edits of one account that change all of its history: enough for a person who tries every type. */
const MAX_REWRITES = 10;
const REWRITES_WITHIN = '10 minutes';

/** The account cannot be closed on this day. */
export class CannotEndError extends DomainError {
  /** @param firstDay of its history; `null`: the day is in the future */
  constructor(readonly firstDay: CalendarDate | null) {
    const why =
      firstDay === null
        ? 'closed_on must not be in the future'
        : `closed_on must not be before ${firstDay}, the first day of the account's history`;
    super('validation_failed', why, { errors: [why] });
  }
}

/** Absent or `undefined` members stay unchanged. */
interface AccountChanges {
  name?: string | undefined;
  accountType?: AccountType | undefined;
  /** `null`: the account is open. */
  closedOn?: CalendarDate | null | undefined;
  includeInNetWorth?: boolean | undefined;
  hidden?: boolean | undefined;
}

/** Edits accounts. A sync never overwrites what a person chose; another type or end changes the history. */
@Injectable()
export class EditAccountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `record_not_found`, `validation_failed`, `rate_limit_exceeded` */
  async edit(
    { userId, timeZone }: { userId: string; timeZone: string },
    id: string,
    changes: AccountChanges,
  ): Promise<void> {
    const now = this.clock.now();
    const today = dateInTimeZone(now, timeZone);
    const { accountType, closedOn } = changes;
    const changesHistory = accountType !== undefined || closedOn !== undefined;
    const editAccount = async (em: EntityManager) => {
      // Locked, so that no concurrent sync derives from the old type.
      const account = await findAccount(em, userId, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const isRetyped = accountType !== undefined && accountType !== account.accountType;
      if (isRetyped || (closedOn !== undefined && closedOn !== account.closedOn)) await refuseManyRewrites(em, account);
      if (closedOn && closedOn > today) throw new CannotEndError(null);
      apply(account, changes);
      Object.assign(account, { updatedAt: now, answerDigest: null });
      noteChanges(userId, ...everythingOf(id), { kind: 'connections' });
      await em.flush();
      if (!changesHistory) return;
      const reason = isRetyped ? 'corrected_type' : 'recalculated';
      const { firstDay } = await deriveAccountHistory(em, account, today, [reason]);
      // Another type may have no past before the first report. No edit deletes a whole history.
      if (account.closedOn !== null && firstDay !== null && account.closedOn < firstDay)
        throw new CannotEndError(firstDay);
    };
    await usingSessionsFor(changesHistory ? 'background' : 'request', () => this.em.transactional(editAccount));
  }
}

function apply(account: Account, { name, accountType, closedOn, includeInNetWorth, hidden }: AccountChanges): void {
  if (name !== undefined) Object.assign(account, { name, nameChosen: true });
  if (accountType) Object.assign(account, { accountType, accountTypeChosen: true });
  if (closedOn !== undefined) account.closedOn = closedOn;
  if (includeInNetWorth !== undefined) account.includeInNetWorth = includeInNetWorth;
  if (hidden !== undefined) account.hidden = hidden;
}

/**
 * A rewritten history stores a version of each of its days. The rewrites are counted by what they stored; a sync has
 * other reasons. The account is locked, so that parallel edits cannot exceed the limit. Raw, because the tables have no
 * entities, and intervals are added and subtracted.
 *
 * @throws DomainError `rate_limit_exceeded`
 */
async function refuseManyRewrites(em: EntityManager, { userId, id }: Account): Promise<void> {
  const { rows } = await sql<{ wait_seconds: number }>`
    select greatest(1, ceil(extract(epoch from committed_at + ${REWRITES_WITHIN}::interval - clock_timestamp())))::integer
      as wait_seconds
    from revisions r
    where user_id = ${userId} and batch_id is not null and committed_at > clock_timestamp() - ${REWRITES_WITHIN}::interval
      and exists (
        select 1 from balance_versions v
        where v.user_id = ${userId} and v.account_id = ${id} and v.batch_id = r.batch_id
          and v.reasons in ('{corrected_type}', '{recalculated}'))
    order by committed_at desc offset ${MAX_REWRITES - 1} limit 1
  `.execute(em.getKysely());
  const wait = rows[0]?.wait_seconds;
  if (wait === undefined) return;
  const message = `The history of this account was changed ${MAX_REWRITES} times within ten minutes. Wait ${wait} seconds, then try again.`;
  throw rateLimitExceeded(message, MAX_REWRITES, wait);
}
