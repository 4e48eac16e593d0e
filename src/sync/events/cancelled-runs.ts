import { Injectable } from '@nestjs/common';
import { DatabaseListener } from '../../database/listener.js';
import { CANCELLED_CHANNEL } from './note-runs.js';

/** Hears of every run that is cancelled, on whatever instance. What goes unheard the run notices at its next write. */
@Injectable()
export class CancelledRuns {
  readonly #watched = new Map<string, () => void>();

  constructor(listener: DatabaseListener) {
    listener.subscribe(CANCELLED_CHANNEL, { hear: (runId) => this.#watched.get(runId)?.() });
  }

  /** @returns what ends the watch */
  watch(runId: string, onCancelled: () => void): () => void {
    this.#watched.set(runId, onCancelled);
    return () => void this.#watched.delete(runId);
  }
}
