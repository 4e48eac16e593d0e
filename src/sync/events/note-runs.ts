import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { noteChanges } from '../../change-log/note-changes.js';
import type { SyncRun } from '../sync-run.entity.js';

/** Where PostgreSQL tells every instance of a run that was cancelled, by its id: its worker has nothing left to do. */
export const CANCELLED_CHANNEL = 'tidemark_cancelled_syncs';

/** Notes that runs have begun or ended, which their connections show, too. */
export function noteRuns(runs: readonly Pick<SyncRun, 'userId' | 'id' | 'connectionId'>[]): void {
  for (const run of runs) {
    noteProgress(run);
    if (run.connectionId) noteChanges(run.userId, { kind: 'connections', ids: [run.connectionId] });
  }
}

/** Notes that a run has come further. */
export function noteProgress({ userId, id }: Pick<SyncRun, 'userId' | 'id'>): void {
  noteChanges(userId, { kind: 'syncs', ids: [id] });
}

/** Tells whoever works on a run that it was cancelled, once the transaction commits. */
export async function announceCancelled(em: EntityManager, runId: string): Promise<void> {
  await sql`select pg_notify(${CANCELLED_CHANNEL}, ${runId})`.execute(em.getKysely());
}
