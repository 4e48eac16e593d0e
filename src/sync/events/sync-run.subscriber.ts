import { Injectable } from '@nestjs/common';
import { DatabaseListener } from '../../database/listener.js';
import { SYNC_CHANNEL } from './publish-run-changes.js';
import type { SyncStatus } from '../sync-run.entity.js';

/** A run was changed, by whatever instance. */
export interface SyncChange {
  userId: string;
  runId: string;
  status: SyncStatus;
}

/** `null`: some changes may have gone unheard. */
type Follower = (change: SyncChange | null) => void;

/** Hears of every changed run the moment its transaction commits. */
@Injectable()
export class SyncRunSubscriber {
  readonly #followers = new Set<Follower>();

  constructor(listener: DatabaseListener) {
    listener.subscribe(SYNC_CHANNEL, {
      hear: (message) => this.#tell(parseChange(message)),
      missed: () => this.#tell(null),
    });
  }

  /** @returns what ends the subscription */
  subscribe(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  #tell(change: SyncChange | null): void {
    for (const follower of this.#followers) follower(change);
  }
}

function parseChange(message: string): SyncChange {
  const [userId = '', runId = '', status] = message.split(' ');
  return { userId, runId, status: status as SyncStatus };
}
