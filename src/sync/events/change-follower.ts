import type { ChangeKind } from '../../database/change-log/change.js';
import type { LogEntry, LogState } from '../change-feed/change-log.js';
import { isOpen, type SyncRun } from '../sync-run.entity.js';

/** How many ended runs are cached for slow streams. */
const MAX_ENDED = 100;
const BATCH = 200;

/** Reads one person's change log and sync runs. */
interface FollowedLog {
  state: () => Promise<LogState>;
  /** Oldest first. */
  entriesAfter: (revision: number, limit: number) => Promise<LogEntry[]>;
  openRuns: () => Promise<SyncRun[]>;
  runs: (ids: string[]) => Promise<SyncRun[]>;
}

/** A run as it is now, and the revision that changed it last. */
interface ChangedRun {
  revision: number;
  run: SyncRun;
}

/** The changes after a revision, up to another one. */
interface RecentChanges {
  position: number;
  /** Oldest change first. */
  runs: ChangedRun[];
  kinds: ChangeKind[];
}

/**
 * Caches the newest changes of one person for all streams of this process. A stream keeps only its position, a
 * revision, and reads what is newer. A slow stream gets the newest state of a run and skips those before. It ends with the
 * epoch of its seal: after a restore the same revisions stand for other changes.
 */
export class ChangeFollower {
  /** Ordered by revision. All open runs, and those that ended last. */
  readonly #runs = new Map<string, ChangedRun>();
  readonly #kinds = new Map<ChangeKind, number>();
  readonly #waiting = new Set<() => void>();
  #position = 0;
  /** All changes after this revision are cached. */
  #completeAfter = 0;
  #isOutdated = false;
  #hasStarted = false;
  #hasEnded = false;
  #reading: Promise<void> | null = null;
  #started: Promise<void> | null = null;

  constructor(
    readonly seal: string,
    private readonly log: FollowedLog,
  ) {}

  /** The newest revision that was read. */
  get position(): number {
    return this.#position;
  }

  /** Whether it does not follow the log, or no longer. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  end(): void {
    this.#hasEnded = true;
    this.wake();
  }

  /** Reads the current state once; later callers wait for the same read. */
  start(): Promise<void> {
    return (this.#started ??= this.#readPresent());
  }

  find(runId: string): SyncRun | null {
    return this.#runs.get(runId)?.run ?? null;
  }

  openRuns(): SyncRun[] {
    return [...this.#runs.values()].map(({ run }) => run).filter(isOpen);
  }

  /** Older changes are read from the database. */
  async changesAfter(revision: number): Promise<RecentChanges> {
    if (revision < this.#completeAfter) return this.#read(revision);
    return {
      position: this.#position,
      runs: [...this.#runs.values()].filter((run) => run.revision > revision),
      kinds: [...this.#kinds].filter(([, newest]) => newest > revision).map(([kind]) => kind),
    };
  }

  /** Reads new changes. Callers during a read share the next one. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    if (!this.#hasStarted) return this.start();
    return (this.#reading ??= this.#readWhileOutdated().finally(() => (this.#reading = null)));
  }

  /** Waits for a change after a revision, for the end, for {@link wake}, or for the signal. */
  async waitAfter(revision: number, signal: AbortSignal): Promise<void> {
    if (this.#position > revision || this.#hasEnded || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const stop = () => {
        this.#waiting.delete(stop);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      this.#waiting.add(stop);
      signal.addEventListener('abort', stop);
    });
  }

  /** Wakes all who wait. */
  wake(): void {
    for (const wake of this.#waiting) wake();
  }

  async #readPresent(): Promise<void> {
    // The log is read before the runs, so that a run may be newer than its revision but never older.
    const { seal, head } = await this.log.state();
    if (seal !== this.seal) return this.end();
    this.#position = this.#completeAfter = head;
    this.#keep((await this.log.openRuns()).map((run) => ({ revision: this.#position, run })));
    this.#hasStarted = true;
    if (this.#isOutdated) await this.refresh();
  }

  async #readWhileOutdated(): Promise<void> {
    while (this.#isOutdated && !this.#hasEnded) {
      this.#isOutdated = false;
      const { position, runs, kinds, isAll } = await this.#read(this.#position);
      // Read last, so that the entries before are of this epoch.
      const { seal, floor } = await this.log.state();
      if (seal !== this.seal || floor > this.#position) return this.end();
      this.#keep(runs);
      for (const kind of kinds) this.#kinds.set(kind, position);
      const isNew = position > this.#position;
      this.#position = position;
      if (!isAll) this.#isOutdated = true;
      if (isNew) this.wake();
    }
  }

  async #read(after: number): Promise<RecentChanges & { isAll: boolean }> {
    const entries = await this.log.entriesAfter(after, BATCH);
    const changedAt = new Map(entries.flatMap(({ revision, syncIds }) => syncIds.map((id) => [id, revision])));
    const runs = changedAt.size > 0 ? await this.log.runs([...changedAt.keys()]) : [];
    return {
      position: entries.at(-1)?.revision ?? after,
      runs: runs
        .map((run) => ({ revision: changedAt.get(run.id)!, run }))
        .sort((one, other) => one.revision - other.revision),
      kinds: [...new Set(entries.flatMap(({ kinds }) => kinds))],
      isAll: entries.length < BATCH,
    };
  }

  #keep(runs: readonly ChangedRun[]): void {
    for (const changed of runs) {
      this.#runs.delete(changed.run.id);
      this.#runs.set(changed.run.id, changed);
    }
    const ended = [...this.#runs.values()].filter(({ run }) => !isOpen(run));
    for (const { run, revision } of ended.slice(0, Math.max(ended.length - MAX_ENDED, 0))) {
      this.#runs.delete(run.id);
      this.#completeAfter = Math.max(this.#completeAfter, revision);
    }
  }
}
