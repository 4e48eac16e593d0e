import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { noteChanges } from '../../change-log/note-changes.js';
import type { SyncRun } from '../sync-run.entity.js';

/** The channel on which all instances learn the ids of cancelled runs. */
export const CANCELLED_CHANNEL = 'tidemark_cancelled_syncs';

/** Notes that runs have begun or ended. Their connections show it, too. */
export function noteRuns(runs: readonly Pick<SyncRun, 'userId' | 'id' | 'connectionId'>[]): void {
  for (const run of runs) {
    noteProgress(run);
    if (run.connectionId) noteChanges(run.userId, { kind: 'connections', ids: [run.connectionId] });
  }
}

/** Notes the progress of a run. */
export function noteProgress({ userId, id }: Pick<SyncRun, 'userId' | 'id'>): void {
  noteChanges(userId, { kind: 'syncs', ids: [id] });
}

/**
 * Notifies the worker of a run that it was cancelled, when the transaction commits. Raw, because no table is involved.
 */
export async function publishCancellation(em: EntityManager, runId: string): Promise<void> {
  await sql`select pg_notify(${CANCELLED_CHANNEL}, ${runId})`.execute(em.getKysely());
}
