import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { ChangeKind } from '../../database/change-log/change.js';
import { ChangeLog } from '../change-feed/change-log.js';
import { CHANGES_CHANNEL } from '../../database/change-log/note-changes.js';
import { DatabaseListener } from '../../database/listener.js';
import { reader } from '../../database/reader.js';
import { ChangeFollower } from './change-follower.js';
import { OPEN, SyncRun } from '../sync-run.entity.js';

/** How often to read the database without a notification, should one be missed. */
const REFRESH_INTERVAL_MS = 15_000;

export interface FollowOptions {
  /** Only this run, until it ends or is deleted; `null`: everything of the person, for ever. */
  runId: string | null;
  /** The last revision that the client has; `null`: none, so the stream begins with the open runs. */
  after: number | null;
  /** Of the client's cursors; `null`: it has none. */
  seal: string | null;
  signal: AbortSignal;
}

/** A client that has received all of it has everything up to its position, and one that has received a part has not. */
export interface StreamedChanges {
  /** A revision. */
  position: number;
  runs: SyncRun[];
  kinds: ChangeKind[];
}

interface SharedFollower {
  follower: ChangeFollower;
  /** How many streams read it. */
  streams: number;
}

/**
 * Streams a person's changes: sync runs as they are now, other records by their kind. All streams of a person in this
 * process share one follower, so a change costs one query for all of them.
 */
@Injectable()
export class ChangeStream {
  readonly #log = new Logger(ChangeStream.name);
  readonly #followers = new Map<string, SharedFollower>();

  constructor(
    private readonly em: EntityManager,
    private readonly changeLog: ChangeLog,
    listener: DatabaseListener,
  ) {
    listener.subscribe(CHANGES_CHANNEL, {
      onMessage: (userId) => this.#refresh(userId),
      onGap: () => this.refreshAll(),
    });
  }

  /**
   * Iterate the changes to their end or abort the signal, which frees the follower. They begin with the position of the
   * stream. The stream of one run ends with the run, also where no change says that it was deleted: the log of a person
   * who deletes everything goes, too. Each ends when its seal is no longer that of the log.
   */
  async follow(userId: string, options: FollowOptions): Promise<AsyncGenerator<StreamedChanges, void>> {
    const shared = this.#join(userId, options.seal ?? (await this.changeLog.state(userId)).seal);
    const { follower } = shared;
    let hasLeft = false;
    const leave = () => {
      options.signal.removeEventListener('abort', leave);
      if (!hasLeft) this.#leave(userId, shared);
      hasLeft = true;
    };
    options.signal.addEventListener('abort', leave);
    if (options.signal.aborted) leave();
    try {
      await follower.start();
      return this.#changes(userId, follower, await this.#startOf(userId, follower, options), options, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The first runs of a stream, and its position in the change log. */
  async #startOf(userId: string, follower: ChangeFollower, { runId, after }: FollowOptions): Promise<StreamedChanges> {
    // The client may have got an event from another instance that this one has not read yet.
    if (after !== null && after > follower.position) await follower.refresh();
    if (after !== null && after <= follower.position) return { position: after, runs: [], kinds: [] };
    const { position } = follower;
    if (!runId) return { position, runs: follower.openRuns(), kinds: [] };
    const run = follower.find(runId) ?? (await reader(this.em).findOne(SyncRun, { userId, id: runId }));
    return { position, runs: run ? [run] : [], kinds: [] };
  }

  async *#changes(
    userId: string,
    follower: ChangeFollower,
    start: StreamedChanges,
    { runId, signal }: FollowOptions,
    leave: () => void,
  ): AsyncGenerator<StreamedChanges, void> {
    try {
      for (let changed = start; !follower.hasEnded;) {
        yield changed;
        if (runId && changed.runs.some(({ finishedAt }) => finishedAt)) return;
        do {
          await follower.waitAfter(changed.position, signal);
          if (signal.aborted || follower.hasEnded) return;
          if (runId && follower.position === changed.position && !(await this.#exists(userId, runId))) return;
        } while (follower.position === changed.position);
        changed = await changesAfter(follower, changed.position, runId);
      }
    } finally {
      leave();
    }
  }

  async #exists(userId: string, runId: string): Promise<boolean> {
    return (await reader(this.em).count(SyncRun, { userId, id: runId })) > 0;
  }

  #join(userId: string, seal: string): SharedFollower {
    let shared = this.#followers.get(userId);
    if (!shared || shared.follower.hasEnded || shared.follower.seal !== seal) {
      shared?.follower.end();
      this.#followers.set(userId, (shared = { follower: this.#followerOf(userId, seal), streams: 0 }));
    }
    shared.streams++;
    return shared;
  }

  #leave(userId: string, shared: SharedFollower): void {
    if (--shared.streams === 0 && this.#followers.get(userId) === shared) this.#followers.delete(userId);
  }

  #followerOf(userId: string, seal: string): ChangeFollower {
    return new ChangeFollower(seal, {
      state: () => this.changeLog.state(userId),
      entriesAfter: (revision, limit) => this.changeLog.entriesAfter(userId, revision, limit),
      openRuns: () => reader(this.em).find(SyncRun, { userId, ...OPEN }),
      runs: (ids) => reader(this.em).find(SyncRun, { userId, id: { $in: ids } }),
    });
  }

  @Interval('changes', REFRESH_INTERVAL_MS)
  refreshAll(): void {
    for (const [userId, { follower }] of this.#followers) this.#refresh(userId, () => follower.wake());
  }

  /** A failed read is repeated with the next one, because no position has moved. */
  #refresh(userId: string, onRead = () => {}): void {
    this.#followers
      .get(userId)
      ?.follower.refresh()
      .then(onRead)
      .catch((error: Error) => this.#log.warn(`Changes cannot be read: ${error.message}`));
  }
}

async function changesAfter(follower: ChangeFollower, after: number, runId: string | null): Promise<StreamedChanges> {
  const { position, runs, kinds } = await follower.changesAfter(after);
  const all = runs.map(({ run }) => run);
  return runId ? { position, runs: all.filter(({ id }) => id === runId), kinds: [] } : { position, runs: all, kinds };
}
