import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SyncChanges } from './sync-changes.js';
import { OPEN, SyncRun } from './sync-run.entity.js';

/** How long to go without looking at the database itself, should a change go unheard. */
const LOOK_AGAIN_MS = 15_000;
const AT_ONCE = 100;

export interface FollowOptions {
  /** Only this run, until it ends; `null`: every run of the person, for ever. */
  runId: string | null;
  /** The event id of the newest change seen; `null`: none, begin with what is under way. */
  after: number | null;
  signal: AbortSignal;
}

/** Runs as they change. A change is the whole run as it is now: who falls behind gets the newest state, not every one. */
@Injectable()
export class SyncFeed {
  constructor(
    private readonly em: EntityManager,
    private readonly changes: SyncChanges,
  ) {}

  /** Ends when the one run has ended, or with the signal. */
  async *follow(userId: string, options: FollowOptions): AsyncGenerator<SyncRun, void> {
    const { runId, signal } = options;
    const bell = new Bell();
    const unsubscribe = this.changes.subscribe((change) => {
      if (change === null || (change.userId === userId && (!runId || change.runId === runId))) bell.ring();
    });
    try {
      let after = await this.#startAfter(userId, options);
      while (!signal.aborted) {
        bell.reset();
        const runs = await this.#changedSince(userId, runId, after);
        for (const run of runs) {
          after = run.eventId;
          yield run;
          if (runId && run.finishedAt) return;
        }
        if (runs.length < AT_ONCE) await bell.wait(LOOK_AGAIN_MS, signal);
      }
    } finally {
      unsubscribe();
    }
  }

  #changedSince(userId: string, runId: string | null, after: number): Promise<SyncRun[]> {
    const where = { userId, eventId: { $gt: after }, ...(runId && { id: runId }) };
    return this.em.fork().find(SyncRun, where, { orderBy: { eventId: 'asc' }, limit: AT_ONCE });
  }

  /** One run is told from how it is now, all of them from what is under way: nothing of what has long ended. */
  async #startAfter(userId: string, { runId, after }: FollowOptions): Promise<number> {
    const em = this.em.fork();
    const [newest] = await em.find(SyncRun, { userId }, { orderBy: { eventId: 'desc' }, limit: 1 });
    const newestId = newest?.eventId ?? 0;
    // An id that is still to come is none of this database: it was restored, or is another one.
    if (after !== null && after <= newestId) return after;
    if (runId) return -1;
    const open = await em.find(SyncRun, { userId, ...OPEN });
    return Math.min(newestId, ...open.map(({ eventId }) => eventId - 1));
  }
}

/** Rings are not lost between two waits. */
class Bell {
  #rung = false;
  #wake = () => {};

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  reset(): void {
    this.#rung = false;
  }

  async wait(longestMs: number, signal: AbortSignal): Promise<void> {
    if (this.#rung || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(stop, longestMs);
      this.#wake = stop;
      signal.addEventListener('abort', stop);
    });
  }
}
