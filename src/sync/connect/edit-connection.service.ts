import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../../balances/accounts/account.entity.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { Installed } from '../../platform/module.js';
import { usingSessionsFor } from '../../database/sessions/bounded-client.js';
import { type Change, everythingOf } from '../../database/change-log/change.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { Clock } from '../../platform/time/clock.js';
import { Connection, type ConnectionKey, lockConnection, lockConnections } from '../connections/connection.entity.js';
import { passOnDeletions } from '../ingest/delete-account/delete-account.service.js';
import { deletePending } from '../ingest/queries/listing.queries.js';
import { AuditTrailService } from '../../auth/audit/audit-trail.service.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof Account | typeof SyncRun>;
type ConnectionChanges = Partial<Pick<Connection, 'name' | 'includePending'>>;

/** Edits connections and removes them, whether they are being synced or not. */
@Injectable()
export class EditConnectionService {
  constructor(
    private readonly em: EntityManager,
    private readonly runs: SyncRunsService,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
    private readonly installed: Installed,
  ) {}

  /**
   * Changes what is given. Switching pending transactions off deletes the stored ones; a sync that is running notices
   * it at the next account it writes. Switching them on asks for everything again, since they are no change to the provider.
   *
   * @throws DomainError `record_not_found`
   */
  async edit({ userId, id }: ConnectionKey, changes: ConnectionChanges): Promise<void> {
    const key = { userId, id };
    const again = changes.includePending ? { cursor: null } : {};
    await this.em.transactional(async (em) => {
      const edited = await em.nativeUpdate(Connection, key, { ...changes, ...again, updatedAt: this.clock.now() });
      if (edited === 0) throw recordNotFound('connection');
      noteChanges(userId, { kind: 'connections', ids: [id] });
      if (changes.includePending !== false) return;
      await deletePending(em, userId, await lockRows(em, 'accounts', key));
    });
  }

  /**
   * Deletes a connection with its credential. Its pending transactions are deleted, too, because no answer will say
   * what becomes of them. A running sync stops before its next write.
   *
   * @param purge whether its accounts and their history are deleted; otherwise they stay as they are
   *
   * @throws DomainError `record_not_found`
   */
  async remove({ userId, id }: ConnectionKey, purge: boolean): Promise<void> {
    const key = { userId, id };
    const removeAll = async (em: EntityManager) => {
      // Of all, because deletions of accounts are passed on to others.
      await lockConnections(em, userId);
      await lockConnection(em, key);
      await this.runs.cancelOpen(em, { userId, connectionId: id });
      const runIds = await lockRows(em, 'sync_runs', key);
      const accountIds = await lockRows(em, 'accounts', key);
      noteChanges(userId, ...changesOfRemoval(id, accountIds, runIds));
      if (purge) {
        noteChanges(userId, ...accountIds.flatMap((id) => everythingOf(id, 'account.deleted')));
        for (const { onDelete } of this.installed.parts) await onDelete?.(em, { userId, accountIds });
        await em.nativeDelete(Account, { userId, connectionId: id });
      } else await deletePending(em, userId, accountIds);
      await passOnDeletions(em, key);
      const { name } = await em.findOneOrFail(Connection, key, { fields: ['name'] });
      // The foreign keys set these columns to null; on Citus they cannot.
      const itsOwn = { userId, connectionId: id };
      await em.nativeUpdate(Account, itsOwn, { connectionId: null, updatedAt: this.clock.now() });
      await em.nativeUpdate(SyncRun, itsOwn, { connectionId: null });
      await em.nativeDelete(Connection, key);
      const about = { userId, subjectId: id, subject: name };
      await this.audit.record({ ...about, kind: 'connection_removed' });
      if (purge) await this.audit.record({ ...about, kind: 'accounts_deleted' });
    };
    await usingSessionsFor('background', () => this.em.transactional(removeAll));
  }
}

/** What the removal changes: its accounts and syncs name the connection, and others may now adopt its accounts. */
function changesOfRemoval(id: string, accountIds: string[], syncIds: string[]): Change[] {
  return [
    { kind: 'accounts', ids: accountIds },
    { kind: 'syncs', ids: syncIds },
    { kind: 'connections', ids: [id] },
    { kind: 'connections' },
  ];
}

/** Locks the runs, ended ones too, or the accounts of a connection, which is locked already. @returns their ids */
async function lockRows(
  em: EntityManager,
  table: 'sync_runs' | 'accounts',
  { userId, id }: ConnectionKey,
): Promise<string[]> {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom(table)
    .select('id')
    .where('user_id', '=', userId)
    .where('connection_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
