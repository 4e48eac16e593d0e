import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { ChangeKind } from '../../database/change-log/change.js';
import { readLogState } from '../change-feed/change-log.js';
import { CHANGES_CHANNEL } from '../../database/change-log/note-changes.js';
import { readLog } from '../../database/change-log/plan-events.js';
import { DatabaseListener } from '../../database/listener.js';
import { reader } from '../../database/reader.js';
import { OPEN, SyncRun } from '../sync-run.entity.js';

/** How often to read the database without a notification, should one be missed. */
const LOOK_INTERVAL_MS = 15_000;

export interface FollowOptions {
  /** Only this run, until it ends or is deleted; `null`: everything of the person, for ever. */
  runId: string | null;
  /** The last revision that the client has; `null`: none, so the stream begins with the open runs. */
  after: number | null;
  signal: AbortSignal;
}

/** A client that has received all of it has everything up to its position, and one that has received a part has not. */
export interface StreamedChanges {
  /** A revision. */
  position: number;
  runs: SyncRun[];
  kinds: ChangeKind[];
}

/** A stream that waits for a signal that there may be news. */
class WaitingStream {
  #told = Promise.withResolvers<void>();

  constructor(readonly userId: string) {}

  tell(): void {
    this.#told.resolve();
  }

  /** Waits until it was told since the last time. */
  async wait(): Promise<void> {
    await this.#told.promise;
    this.#told = Promise.withResolvers();
  }
}

/**
 * Streams a person's changes: sync runs as they are now, other records by their kind. A stream keeps only its position, a
 * revision, and reads what is newer when its client has taken what came before. So a slow one gets the newest state of a run
 * and skips those before.
 */
@Injectable()
export class ChangeStream {
  readonly #log = new Logger(ChangeStream.name);
  readonly #streams = new Set<WaitingStream>();

  constructor(
    private readonly em: EntityManager,
    listener: DatabaseListener,
  ) {
    listener.subscribe(CHANGES_CHANNEL, {
      onMessage: (userId) => {
        for (const stream of this.#streams) if (stream.userId === userId) stream.tell();
      },
      onGap: () => this.tellAll(),
    });
  }

  @Interval('changes', LOOK_INTERVAL_MS)
  tellAll(): void {
    for (const stream of this.#streams) stream.tell();
  }

  /**
   * Changes until the end or the signal, the first one with the position of the stream. The stream of one run ends with the
   * run, also where no change says that it was deleted: the log of a person who deletes everything goes, too. Each ends after a
   * restore, when the same revisions stand for other changes.
   */
  async *follow(userId: string, { runId, after, signal }: FollowOptions): AsyncGenerator<StreamedChanges, void> {
    const stream = new WaitingStream(userId);
    const tell = () => stream.tell();
    this.#streams.add(stream);
    signal.addEventListener('abort', tell);
    try {
      // Read before the runs, so that a run may be newer than the position but never older.
      const state = await readLogState(this.em, userId);
      const runs = after === null ? await this.#presentRuns(userId, runId) : [];
      if (after !== null) stream.tell();
      for (let changed: StreamedChanges = { position: after ?? state.head, runs, kinds: [] }; ;) {
        yield changed;
        if (runId && changed.runs.some(({ finishedAt }) => finishedAt)) return;
        for (const { position } = changed; changed.position === position;) {
          await stream.wait();
          if (signal.aborted) return;
          const read = await this.#read(stream, position, state.seal, runId).catch((error: Error) => {
            this.#log.warn(`Changes cannot be read: ${error.message}`);
            return changed;
          });
          if (read === null) return;
          changed = read;
        }
      }
    } finally {
      signal.removeEventListener('abort', tell);
      this.#streams.delete(stream);
    }
  }

  /** The changes after a revision, which is their position where there are none. @returns `null`: the stream is over */
  async #read(
    stream: WaitingStream,
    after: number,
    seal: string,
    runId: string | null,
  ): Promise<StreamedChanges | null> {
    const { userId } = stream;
    const parts = await readLog(this.em, userId, after);
    // Read last, so that the parts before are of this epoch.
    const { head, floor, seal: current } = await readLogState(this.em, userId);
    if (current !== seal || floor > after) return null;
    if (parts.length === 0 && runId && (await this.#presentRuns(userId, runId)).length === 0) return null;
    const position = parts.at(-1)?.revision ?? after;
    if (position < head) stream.tell();
    const ofSyncs = parts.filter(({ kind }) => kind === 'syncs');
    const changedAt = new Map(ofSyncs.flatMap(({ revision, ids }) => (ids ?? []).map((id) => [id, revision])));
    const ids = [...changedAt.keys()].filter((id) => runId === null || id === runId);
    const runs = ids.length > 0 ? await reader(this.em).find(SyncRun, { userId, id: { $in: ids } }) : [];
    return {
      position,
      // The oldest change first.
      runs: runs.sort((one, other) => changedAt.get(one.id)! - changedAt.get(other.id)!),
      kinds: runId ? [] : [...new Set(parts.map(({ kind }) => kind))],
    };
  }

  /** One run, or all that are open. */
  #presentRuns(userId: string, runId: string | null): Promise<SyncRun[]> {
    return reader(this.em).find(SyncRun, { userId, ...(runId === null ? OPEN : { id: runId }) });
  }
}
