import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../../../balances/accounts/account.entity.js';
import { AuditTrailService } from '../../../auth/audit/audit-trail.service.js';
import { everythingOf } from '../../../database/change-log/change.js';
import { noteChanges } from '../../../database/change-log/note-changes.js';
import { Connection, type ConnectionKey } from '../../connections/connection.entity.js';
import { usingSessionsFor } from '../../../database/sessions/bounded-client.js';
import { recordNotFound } from '../../../platform/domain-error.js';
import { Installed } from '../../../platform/module.js';
import { isUuid } from '../../../http/input/validators.js';
import { Clock } from '../../../platform/time/clock.js';
import { DeletedAccount } from './deleted-account.entity.js';

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE };

/** Deletes accounts, and lets their connections sync them again. */
@Injectable()
export class DeleteAccountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
    private readonly installed: Installed,
  ) {}

  /**
   * Deletes an account with its transactions, balances, holdings and reports. While its connection still lists it,
   * syncs leave it out and the connection says so.
   *
   * @throws DomainError `record_not_found`
   */
  async delete(userId: string, id: string): Promise<void> {
    const deleteAccount = async (em: EntityManager) => {
      const known = isUuid(id) ? await em.findOne(Account, { userId, id }) : null;
      // In the lock order of syncs. It waits for a sync that is writing the account.
      if (known?.connectionId) await em.findOne(Connection, { userId, id: known.connectionId }, LOCKED);
      const account = known && (await em.findOne(Account, { userId, id }, { ...LOCKED, refresh: true }));
      if (!account) throw recordNotFound('account');
      const { connectionId, externalId, name } = account;
      // An account without a connection cannot come back by itself.
      if (connectionId !== null) {
        const deletedAt = this.clock.now();
        await em.upsert(DeletedAccount, { userId, connectionId, externalId, accountId: id, name, deletedAt });
        noteChanges(userId, { kind: 'connections', ids: [connectionId] });
      }
      for (const { onDelete } of this.installed.parts) await onDelete?.(em, { userId, accountIds: [id] });
      await em.nativeDelete(Account, { userId, id });
      noteChanges(userId, ...everythingOf(id, 'account.deleted'));
      await this.audit.record({ userId, kind: 'accounts_deleted', subjectId: id, subject: name });
    };
    await usingSessionsFor('background', () => this.em.transactional(deleteAccount));
  }

  /**
   * Lets the next sync store the account as a new one, whichever connection lists it.
   *
   * @throws DomainError `record_not_found`
   */
  async restore(userId: string, connectionId: string, accountId: string): Promise<void> {
    const restoreAccount = async (em: EntityManager) => {
      const isKnown = isUuid(connectionId) && isUuid(accountId);
      const connection = isKnown ? await em.findOne(Connection, { userId, id: connectionId }, LOCKED) : null;
      const deleted = connection ? await em.find(DeletedAccount, { userId, accountId }) : [];
      const ids = deleted.map((one) => one.connectionId);
      if (!connection || !ids.includes(connectionId)) throw recordNotFound('account');
      await em.nativeDelete(DeletedAccount, { userId, accountId });
      // Its transactions have not changed since, so everything is asked for again.
      const again = { cursor: null, updatedAt: this.clock.now() };
      await em.nativeUpdate(Connection, { userId, id: { $in: ids } }, again);
      noteChanges(userId, { kind: 'connections', ids });
    };
    await this.em.transactional(restoreAccount);
  }
}

/**
 * Before a connection is removed: others that may list the accounts that a person deleted through it leave them out from
 * now on. A connection that was made after the deletion brings them.
 *
 * @param em with a transaction that has locked the connection and keeps the others from being removed
 */
export async function passOnDeletions(em: EntityManager, { userId, id }: ConnectionKey): Promise<void> {
  const deleted = await em.find(DeletedAccount, { userId, connectionId: id }, { disableIdentityMap: true });
  if (deleted.length === 0) return;
  const { provider } = await em.findOneOrFail(Connection, { userId, id });
  const others = await em.find(Connection, { userId, provider, id: { $ne: id } });
  const passedOn = deleted.flatMap((account) =>
    others
      .filter(({ createdAt }) => createdAt < account.deletedAt)
      .map((other) => ({ ...account, connectionId: other.id })),
  );
  if (passedOn.length === 0) return;
  await em.upsertMany(DeletedAccount, passedOn, { onConflictAction: 'ignore' });
  noteChanges(userId, { kind: 'connections', ids: [...new Set(passedOn.map(({ connectionId }) => connectionId))] });
}
