import { Injectable } from '@nestjs/common';
import { DatabaseListener } from '../../database/listener.js';
import { CANCELLED_CHANNEL } from './note-runs.js';

/** Listens for cancelled runs. A worker that misses a message notices at its next write. */
@Injectable()
export class CancelledRuns {
  readonly #callbacks = new Map<string, () => void>();

  constructor(listener: DatabaseListener) {
    listener.subscribe(CANCELLED_CHANNEL, { onMessage: (runId) => this.#callbacks.get(runId)?.() });
  }

  /** @returns unsubscribes */
  subscribe(runId: string, onCancelled: () => void): () => void {
    this.#callbacks.set(runId, onCancelled);
    return () => void this.#callbacks.delete(runId);
  }
}
