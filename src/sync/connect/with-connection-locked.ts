import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { ApiError, recordNotFound } from '../../http/errors/api-error.js';
import { Connection } from '../../connections/connection.entity.js';
import type { SyncRunsService } from '../runs/sync-runs.service.js';

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };

/** Of somebody who asks for a sync again and again while the connection is changed. */
const MAX_LOCK_ATTEMPTS = 10;

/** A sync was requested after the open run of the connection was looked for. */
class RunAdded extends ApiError {
  constructor() {
    super('unavailable', 'Syncs of this connection are being requested. Try again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/**
 * Runs `work` in a transaction that holds the open run of a connection and then the connection itself, which is the order
 * of a sync. With the connection locked no run can be added. One that was added between the two locks must not be waited
 * for: all locks are released and taken again.
 *
 * @throws ApiError `record_not_found`
 */
export async function withConnectionLocked<T>(
  em: EntityManager,
  runs: SyncRunsService,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const lockAndWork = async (em: EntityManager) => {
    const lockedRunId = await runs.lockOpen(em, userId, id);
    const locked = await em.findOne(Connection, { userId, id }, { fields: ['id'], ...LOCKED });
    if (!locked) throw recordNotFound('connection');
    if ((await runs.findOpenId(em, userId, id)) !== lockedRunId) throw new RunAdded();
    return work(em);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.transactional(lockAndWork);
    } catch (error) {
      if (!(error instanceof RunAdded) || attempt === MAX_LOCK_ATTEMPTS) throw error;
    }
  }
}
