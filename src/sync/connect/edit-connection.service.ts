import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { recordNotFound } from '../../http/errors/api-error.js';
import { usingSessionsFor } from '../../database/sessions/session-limits.js';
import { type Change, everythingOf } from '../../change-log/change.js';
import { noteChanges } from '../../change-log/note-changes.js';
import { Clock } from '../../time/clock.js';
import { Connection } from '../../connections/connection.entity.js';
import { AuditTrail } from '../../auth/audit/audit-trail.service.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { withConnectionLocked } from './with-connection-locked.js';

type ConnectionKey = Pick<Connection, 'userId' | 'id'>;
type ConnectionChanges = Partial<Pick<Connection, 'name' | 'includePending'>>;

/** Edits connections and removes them, whether they are being synced or not. */
@Injectable()
export class EditConnectionService {
  constructor(
    private readonly em: EntityManager,
    private readonly runs: SyncRunsService,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * What is not given stays. Pending transactions that are switched off go at once; a sync that runs meanwhile notices
   * at the next account it writes and brings none back.
   *
   * @throws ApiError `record_not_found`
   */
  async edit({ userId, id }: ConnectionKey, changes: ConnectionChanges): Promise<void> {
    const key = { userId, id };
    await this.em.transactional(async (em) => {
      const edited = await em.nativeUpdate(Connection, key, { ...changes, updatedAt: this.clock.now() });
      if (edited === 0) throw recordNotFound('connection');
      noteChanges(userId, { kind: 'connections', ids: [id] });
      if (changes.includePending !== false) return;
      await lockAccounts(em, key);
      await removePending(em, key);
    });
  }

  /**
   * Forgets the credential at once. Accounts and history stay and are not synced any more, unless they are to go, too;
   * pending transactions go in any case, since nobody would tell what becomes of them. A running sync stops before its
   * next write.
   *
   * @throws ApiError `record_not_found`
   */
  async remove({ userId, id }: ConnectionKey, purge: boolean): Promise<void> {
    const key = { userId, id };
    const removeAll = async (em: EntityManager) => {
      const accountIds = await lockAccounts(em, key);
      await this.runs.cancelOpen(em, userId, id);
      noteChanges(userId, ...(await lostBy(em, key, accountIds)));
      if (purge) await removeAccounts(em, key, accountIds);
      else await removePending(em, key);
      const { name } = await em.findOneOrFail(Connection, key, { fields: ['name'] });
      await em.nativeDelete(Connection, key);
      const about = { userId, subjectId: id, subject: name };
      await this.audit.record({ ...about, kind: 'connection_removed' }, em);
      if (purge) await this.audit.record({ ...about, kind: 'accounts_deleted' }, em);
    };
    await usingSessionsFor('background', () => withConnectionLocked(this.em, this.runs, key, removeAll));
  }
}

async function lockAccounts(em: EntityManager, { userId, id }: ConnectionKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts where user_id = ${userId} and connection_id = ${id} order by id for update
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** What changes with a connection that goes: its accounts and syncs name it, and the others may replace its accounts. */
async function lostBy(em: EntityManager, { userId, id }: ConnectionKey, accountIds: string[]): Promise<Change[]> {
  const { rows: runs } = await sql<{ id: string }>`
    select id from sync_runs where user_id = ${userId} and connection_id = ${id}
  `.execute(em.getKysely());
  return [
    { kind: 'accounts', ids: accountIds },
    { kind: 'syncs', ids: runs.map(({ id }) => id) },
    { kind: 'connections', ids: [id] },
    { kind: 'connections' },
  ];
}

async function removePending(em: EntityManager, { userId, id }: ConnectionKey): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from transactions t using accounts a
    where a.user_id = ${userId} and a.connection_id = ${id}
      and t.user_id = a.user_id and t.account_id = a.id and t.pending
    returning t.id
  `.execute(em.getKysely());
  noteChanges(userId, { kind: 'transactions', ids: rows.map(({ id }) => id) });
}

async function removeAccounts(
  em: EntityManager,
  { userId, id }: ConnectionKey,
  accountIds: readonly string[],
): Promise<void> {
  noteChanges(userId, ...accountIds.flatMap(everythingOf));
  await sql`delete from accounts where user_id = ${userId} and connection_id = ${id}`.execute(em.getKysely());
}
