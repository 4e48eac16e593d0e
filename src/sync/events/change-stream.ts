import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { ChangeKind } from '../../change-log/change.js';
import { ChangeLog } from '../../change-log/change-log.js';
import { CHANGES_CHANNEL } from '../../change-log/note-changes.js';
import { DatabaseListener } from '../../database/listener.js';
import { reader } from '../../database/reader.js';
import { ChangeFollower } from './change-follower.js';
import { OPEN, SyncRun } from '../sync-run.entity.js';

/** How often to read the database without a notification, should one be missed. */
const REFRESH_INTERVAL_MS = 15_000;

export interface FollowOptions {
  /** Only this run, until it ends; `null`: everything of the person, for ever. */
  runId: string | null;
  /** The last revision that the client has; `null`: none, so the stream begins with the open runs. */
  after: number | null;
  signal: AbortSignal;
}

/** A client that has received it has everything up to its revision. */
export type StreamedChange = { revision: number; run: SyncRun } | { revision: number; kinds: ChangeKind[] };

/**
 * Streams a person's changes: sync runs as they are now, other records by their kind. All streams of a person in this
 * process share one follower, so a change costs one query for all of them.
 */
@Injectable()
export class ChangeStream {
  readonly #log = new Logger(ChangeStream.name);
  readonly #followers = new Map<string, { follower: ChangeFollower; streams: number }>();

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
   * Iterate the changes to their end or abort the signal, which frees the follower. The stream of one run ends with the
   * run.
   */
  async follow(userId: string, options: FollowOptions): Promise<AsyncGenerator<StreamedChange, void>> {
    const follower = this.#join(userId);
    let hasLeft = false;
    const leave = () => {
      options.signal.removeEventListener('abort', leave);
      if (!hasLeft) this.#leave(userId);
      hasLeft = true;
    };
    options.signal.addEventListener('abort', leave);
    if (options.signal.aborted) leave();
    try {
      await follower.start();
      const { runs, position } = await this.#startOf(userId, follower, options);
      return changes(follower, runs, position, options, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The first runs of a stream, and its position in the change log. */
  async #startOf(
    userId: string,
    follower: ChangeFollower,
    { runId, after }: FollowOptions,
  ): Promise<{ runs: SyncRun[]; position: number }> {
    // The client may have got an event from another instance that this one has not read yet.
    if (after !== null && after > follower.position) await follower.refresh();
    if (after !== null && after <= follower.position) return { runs: [], position: after };
    const { position } = follower;
    if (!runId) return { runs: follower.openRuns(), position };
    const run = follower.find(runId) ?? (await reader(this.em).findOneOrFail(SyncRun, { userId, id: runId }));
    return { runs: [run], position };
  }

  #join(userId: string): ChangeFollower {
    let shared = this.#followers.get(userId);
    if (!shared) this.#followers.set(userId, (shared = { follower: this.#followerOf(userId), streams: 0 }));
    shared.streams++;
    return shared.follower;
  }

  #leave(userId: string): void {
    const shared = this.#followers.get(userId);
    if (shared && --shared.streams === 0) this.#followers.delete(userId);
  }

  #followerOf(userId: string): ChangeFollower {
    return new ChangeFollower({
      head: async () => (await this.changeLog.state(userId)).head,
      entriesAfter: (revision, limit) => this.changeLog.entriesAfter(userId, revision, limit),
      openRuns: () => reader(this.em).find(SyncRun, { userId, ...OPEN }),
      runs: (ids) => reader(this.em).find(SyncRun, { userId, id: { $in: ids } }),
    });
  }

  @Interval('changes', REFRESH_INTERVAL_MS)
  refreshAll(): void {
    for (const userId of this.#followers.keys()) this.#refresh(userId);
  }

  /** A failed read is repeated with the next one, because no position has moved. */
  #refresh(userId: string): void {
    this.#followers
      .get(userId)
      ?.follower.refresh()
      .catch((error: Error) => this.#log.warn(`Changes cannot be read: ${error.message}`));
  }
}

async function* changes(
  follower: ChangeFollower,
  first: readonly SyncRun[],
  start: number,
  { runId, signal }: FollowOptions,
  leave: () => void,
): AsyncGenerator<StreamedChange, void> {
  try {
    let changed = { position: start, runs: first.map((run) => ({ revision: start, run })), kinds: [] as ChangeKind[] };
    for (;;) {
      for (const { run, revision } of changed.runs) {
        if (runId && run.id !== runId) continue;
        yield { revision, run };
        if (signal.aborted || (runId && run.finishedAt)) return;
      }
      const { position, kinds } = changed;
      if (!runId && kinds.length > 0) yield { revision: position, kinds };
      if (signal.aborted) return;
      await follower.waitAfter(position, signal);
      if (signal.aborted) return;
      changed = await follower.changesAfter(position);
    }
  } finally {
    leave();
  }
}
