import { noteChanges } from '../../database/change-log/note-changes.js';
import type { SyncRun } from '../sync-run.entity.js';

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
