import { isOpen, type SyncRun } from '../sync-run.entity.js';

/** How many ended runs are kept for those who fall behind or come back. */
const MAX_ENDED = 100;
const BATCH_RUNS = 100;

/** Reads a user's runs. */
export interface RunReader {
  open: () => Promise<SyncRun[]>;
  newest: (limit: number) => Promise<SyncRun[]>;
  /** Oldest change first. */
  changedAfter: (eventId: number, limit: number) => Promise<SyncRun[]>;
}

/**
 * The newest state of one user's runs, read once for all streams of this process. A stream keeps only its position, the
 * event id it has come to, and takes what is newer: who falls behind gets the newest state of a run, not every one.
 */
export class RunFollower {
  /** Ordered by event id. All open runs, and those that ended last. */
  readonly #runs = new Map<string, SyncRun>();
  readonly #waiting = new Set<() => void>();
  #position = 0;
  /** Every run that changed after this event is in `#runs`. */
  #completeAfter = -1;
  #isOutdated = false;
  #hasStarted = false;
  #reading: Promise<void> | null = null;
  #started: Promise<void> | null = null;

  constructor(private readonly reader: RunReader) {}

  /** The newest event id that was read. */
  get position(): number {
    return this.#position;
  }

  /** Reads the present state; whoever calls it later waits for the same reading. */
  start(): Promise<void> {
    return (this.#started ??= this.#readPresent());
  }

  find(runId: string): SyncRun | null {
    return this.#runs.get(runId) ?? null;
  }

  open(): SyncRun[] {
    return [...this.#runs.values()].filter(isOpen);
  }

  /** The runs that changed after an event, oldest change first; of those long ended the database knows more. */
  async changedAfter(eventId: number): Promise<SyncRun[]> {
    if (eventId < this.#completeAfter) return this.reader.changedAfter(eventId, BATCH_RUNS);
    return [...this.#runs.values()].filter((run) => run.eventId > eventId);
  }

  /** Reads what has changed. Those who ask while it reads share the next reading. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    if (!this.#hasStarted) return this.start();
    return (this.#reading ??= this.#readWhileOutdated().finally(() => (this.#reading = null)));
  }

  /** Waits until there is something after an event, or for the signal. */
  async waitAfter(eventId: number, signal: AbortSignal): Promise<void> {
    if (this.#position > eventId || signal.aborted) return;
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

  async #readPresent(): Promise<void> {
    const newest = await this.reader.newest(MAX_ENDED);
    this.#position = newest[0]?.eventId ?? 0;
    if (newest.length === MAX_ENDED) this.#completeAfter = newest.at(-1)!.eventId - 1;
    const open = await this.reader.open();
    // One that has changed since the first query is read with all other changes: taken alone, it would hide them.
    const known = open.filter(({ eventId }) => eventId <= this.#position);
    const runs = new Map([...newest, ...known].map((run) => [run.id, run]));
    this.#keep([...runs.values()].sort((a, b) => a.eventId - b.eventId));
    this.#hasStarted = true;
    if (this.#isOutdated || known.length < open.length) await this.refresh();
  }

  async #readWhileOutdated(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const runs = await this.reader.changedAfter(this.#position, BATCH_RUNS);
      this.#keep(runs);
      this.#position = runs.at(-1)?.eventId ?? this.#position;
      if (runs.length === BATCH_RUNS) this.#isOutdated = true;
      if (runs.length > 0) for (const wake of this.#waiting) wake();
    }
  }

  #keep(runs: readonly SyncRun[]): void {
    for (const run of runs) {
      this.#runs.delete(run.id);
      this.#runs.set(run.id, run);
    }
    const ended = [...this.#runs.values()].filter((run) => !isOpen(run));
    for (const { id, eventId } of ended.slice(0, Math.max(ended.length - MAX_ENDED, 0))) {
      this.#runs.delete(id);
      this.#completeAfter = Math.max(this.#completeAfter, eventId);
    }
  }
}
