import type { EntityManager } from '@mikro-orm/postgresql';
import { noteChanges } from '../../change-log/note-changes.js';
import type { SyncRun } from '../sync-run.entity.js';
import { notify } from '../../database/listener.js';

/** The PostgreSQL channel on which all instances learn the ids of cancelled runs. */
export const CANCELLED_CHANNEL = 'tidemark_cancelled_syncs';

type NotedRun = Pick<SyncRun, 'userId' | 'id' | 'connectionId'>;

/** Notes that runs have begun or wait again. Their connections show it, too. */
export function noteRuns(runs: readonly NotedRun[]): void {
  for (const run of runs) {
    noteProgress(run);
    noteConnection(run);
  }
}

/** Notes that runs are over, however they ended. */
export function noteEndedRuns(runs: readonly NotedRun[]): void {
  for (const run of runs) {
    noteChanges(run.userId, { kind: 'syncs', ids: [run.id], event: 'sync.finished' });
    noteConnection(run);
  }
}

function noteConnection({ userId, connectionId }: NotedRun): void {
  if (connectionId) noteChanges(userId, { kind: 'connections', ids: [connectionId] });
}

/** Notes the progress of a run. */
export function noteProgress({ userId, id }: Pick<SyncRun, 'userId' | 'id'>): void {
  noteChanges(userId, { kind: 'syncs', ids: [id] });
}

/** Notifies the worker of a run that it was cancelled, when the transaction commits. */
export async function publishCancellation(em: EntityManager, runId: string): Promise<void> {
  await notify(em, CANCELLED_CHANNEL, runId);
}
