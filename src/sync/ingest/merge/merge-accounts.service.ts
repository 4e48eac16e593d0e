import { EntityManager, type InferClassEntityDB, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../../../balances/accounts/account.entity.js';
import type { DuplicatePair } from '../../../balances/accounts/duplicates/merge-suggestions.js';
import type { SeparateAccounts } from '../../../balances/accounts/duplicates/separate-accounts.entity.js';
import type { NewAuditEvent } from '../../../auth/audit/audit-event.js';
import { AuditTrailService } from '../../../auth/audit/audit-trail.service.js';
import { DomainError, recordNotFound, validationFailed } from '../../../platform/domain-error.js';
import { deriveAccountHistory } from '../../../balances/history/derive-account-history.js';
import { usingSessionsFor } from '../../../database/sessions/bounded-client.js';
import { Installed } from '../../../platform/module.js';
import type { CalendarDate } from '../../../platform/time/calendar-date.js';
import { everythingOf } from '../../../database/change-log/change.js';
import { noteChanges } from '../../../database/change-log/note-changes.js';
import { Clock } from '../../../platform/time/clock.js';
import { lockConnections } from '../../connections/connection.entity.js';
import { adoptListing, moveTransactionsAndReports } from './merge-transactions.js';

type Tables = InferClassEntityDB<typeof SeparateAccounts>;

/** Merges accounts on a person's request. */
@Injectable()
export class MergeAccountsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly installed: Installed,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * Merges each replacement into its disconnected account, which keeps its id, history and chosen names and is synced
   * from now on. The replacement is deleted. Merges all pairs or none.
   *
   * @param today where the person is
   * @throws DomainError `record_not_found`, `validation_failed`; `conflict` unless exactly the replacement is listed
   */
  async merge(userId: string, pairs: readonly DuplicatePair[], today: CalendarDate): Promise<void> {
    const mergeAll = async (em: EntityManager) => {
      const now = this.clock.now();
      const activeIds = await lockConnections(em, userId);
      await lockAccounts(em, userId, pairs);
      const merges: NewAuditEvent[] = [];
      for (const pair of pairs) {
        const disconnected = await findDisconnected(em, userId, pair);
        // First, because an account that was merged a moment ago is synced, and its duplicate is gone.
        if (isListed(disconnected, activeIds)) {
          const other = await em.findOne(Account, { userId, id: pair.replacementId });
          const isTurned = other !== null && !isListed(other, activeIds);
          const advice = isTurned
            ? `, and “${other.name}” is not: swap the two ids.`
            : ', so the two cannot be merged.';
          throw new DomainError('conflict', `“${disconnected.name}” is still synced${advice}`);
        }
        const replacement = await findReplacement(em, disconnected, pair);
        if (!isListed(replacement, activeIds))
          throw new DomainError('conflict', `“${replacement.name}” is not synced by any connection.`);
        if (disconnected.currency !== replacement.currency)
          throw validationFailed(['account_id must be an account in the same currency']);
        await moveTransactionsAndReports(em, disconnected, replacement, now);
        const merged = { userId, fromId: replacement.id, intoId: disconnected.id };
        for (const { onMerge } of this.installed.parts) await onMerge?.(em, merged);
        // The provider's id must be free before the account takes it.
        await em.remove(replacement).flush();
        adoptListing(disconnected, replacement);
        disconnected.updatedAt = now;
        await em.flush();
        noteChanges(userId, ...everythingOf(disconnected.id, 'account.merged'), { kind: 'connections' });
        noteChanges(userId, ...everythingOf(replacement.id, 'account.deleted'));
        await deriveAccountHistory(em, disconnected, today, ['merged_account']);
        merges.push({ userId, kind: 'accounts_merged', subjectId: disconnected.id, subject: disconnected.name });
      }
      for (const merge of merges) await this.audit.record(merge);
    };
    await usingSessionsFor('background', () => this.em.transactional(mergeAll));
  }

  /** Stores that two accounts stay separate, so that the merge is not suggested again. */
  async keepSeparate(userId: string, pair: DuplicatePair): Promise<void> {
    await this.em.transactional(async (em) => {
      await lockAccounts(em, userId, [pair]);
      const disconnected = await findDisconnected(em, userId, pair);
      const replacement = await findReplacement(em, disconnected, pair);
      noteChanges(userId, { kind: 'connections' });
      await em
        .getKysely<Tables>()
        .insertInto('accounts_kept_apart')
        .values({
          user_id: userId,
          account_id: disconnected.id,
          other_account_id: replacement.id,
          created_at: this.clock.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }
}

/** Locks the accounts of all pairs before the first write, always in the order of their ids, so that none is deleted. */
async function lockAccounts(em: EntityManager, userId: string, pairs: readonly DuplicatePair[]): Promise<void> {
  const ids = pairs.flatMap(({ disconnectedId, replacementId }) => [disconnectedId, replacementId]);
  const inOrder = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  await em.find(Account, { userId, id: { $in: ids } }, inOrder);
}

function isListed({ connectionId, status }: Account, activeIds: ReadonlySet<string>): boolean {
  return connectionId !== null && activeIds.has(connectionId) && status === 'active';
}

async function findDisconnected(
  em: EntityManager,
  userId: string,
  { disconnectedId }: DuplicatePair,
): Promise<Account> {
  const disconnected = await em.findOne(Account, { userId, id: disconnectedId });
  if (!disconnected) throw recordNotFound('account');
  return disconnected;
}

async function findReplacement(
  em: EntityManager,
  { userId, id }: Account,
  { replacementId }: DuplicatePair,
): Promise<Account> {
  const replacement = replacementId === id ? null : await em.findOne(Account, { userId, id: replacementId });
  if (!replacement) throw validationFailed(['account_id must be the id of another account of yours']);
  return replacement;
}
