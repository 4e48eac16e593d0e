import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { RunFollower } from './run-follower.js';
import { SyncRunSubscriber } from './sync-run.subscriber.js';
import { OPEN, SyncRun } from '../sync-run.entity.js';

/** How often to read the database without a notification, should one be missed. */
const REFRESH_INTERVAL_MS = 15_000;

export interface FollowOptions {
  /** Only this run, until it ends; `null`: every run of the person, for ever. */
  runId: string | null;
  /** The event id of the newest change seen; `null`: none, begin with what is under way. */
  after: number | null;
  signal: AbortSignal;
}

/**
 * Runs as they change. A change is the whole run as it is now. All streams of a person in this process share one
 * follower: a change costs one query, however many streams there are.
 */
@Injectable()
export class SyncRunFeed implements OnApplicationShutdown {
  readonly #log = new Logger('Sync');
  readonly #followers = new Map<string, { follower: RunFollower; streams: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly em: EntityManager,
    changes: SyncRunSubscriber,
  ) {
    changes.subscribe((change) => {
      if (change) this.#refresh(change.userId);
      else this.#refreshAll();
    });
  }

  /**
   * The runs are to be iterated until their end, or the signal given: that ends the iteration and frees what it holds.
   * It ends by itself when the one run has ended.
   */
  async follow(userId: string, options: FollowOptions): Promise<AsyncGenerator<SyncRun, void>> {
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

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** One run begins as it is now, all of them with those under way: nothing of what has long ended. */
  async #startOf(
    userId: string,
    follower: RunFollower,
    { runId, after }: FollowOptions,
  ): Promise<{ runs: SyncRun[]; position: number }> {
    // Another instance may have sent an event that this one has not read yet.
    if (after !== null && after > follower.position) await follower.refresh();
    // An id that is still to come is none of this database: it was restored, or is another one.
    if (after !== null && after <= follower.position) return { runs: [], position: after };
    const { position } = follower;
    if (!runId) return { runs: follower.open(), position };
    const known = follower.find(runId);
    if (known) return { runs: [known], position };
    const run = await this.em.fork().findOneOrFail(SyncRun, { userId, id: runId });
    return { runs: [run], position: run.eventId };
  }

  #join(userId: string): RunFollower {
    let shared = this.#followers.get(userId);
    if (!shared) this.#followers.set(userId, (shared = { follower: this.#followerOf(userId), streams: 0 }));
    shared.streams++;
    this.#timer ??= setInterval(() => this.#refreshAll(), REFRESH_INTERVAL_MS).unref();
    return shared.follower;
  }

  #leave(userId: string): void {
    const shared = this.#followers.get(userId);
    if (shared && --shared.streams === 0) this.#followers.delete(userId);
    if (this.#followers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #followerOf(userId: string): RunFollower {
    const find = (where: object, options: object) => this.em.fork().find(SyncRun, { userId, ...where }, options);
    return new RunFollower({
      open: () => find(OPEN, {}),
      newest: (limit) => find({}, { orderBy: { eventId: 'desc' }, limit }),
      changedAfter: (eventId, limit) => find({ eventId: { $gt: eventId } }, { orderBy: { eventId: 'asc' }, limit }),
    });
  }

  #refreshAll(): void {
    for (const userId of this.#followers.keys()) this.#refresh(userId);
  }

  /** What cannot be read now is read next time: no stream's position has moved. */
  #refresh(userId: string): void {
    this.#followers
      .get(userId)
      ?.follower.refresh()
      .catch((error: Error) => this.#log.warn(`Changed syncs cannot be read: ${error.message}`));
  }
}

async function* changes(
  follower: RunFollower,
  first: SyncRun[],
  start: number,
  { runId, signal }: FollowOptions,
  leave: () => void,
): AsyncGenerator<SyncRun, void> {
  try {
    for (let runs = first, position = start; !signal.aborted; runs = await follower.changedAfter(position)) {
      for (const run of runs) {
        position = Math.max(position, run.eventId);
        if (runId && run.id !== runId) continue;
        yield run;
        if (signal.aborted || (runId && run.finishedAt)) return;
      }
      await follower.waitAfter(position, signal);
    }
  } finally {
    leave();
  }
}
