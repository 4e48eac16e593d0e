import { Injectable } from '@nestjs/common';
import { DatabaseListener } from '../database/listener.js';
import type { Caller } from '../http/caller.js';

/** A cached caller is read again after this time, even without a notification. */
const MAX_AGE_MS = 10_000;
const MAX_CALLERS = 10_000;

/** The PostgreSQL channel for changed keys, which triggers use, too. The payload is the user's id. */
export const CALLERS_CHANNEL = 'api_keys';

export interface KnownCaller {
  caller: Caller;
  expiresAt: Date | null;
  /** When `last_used_at` was last written. */
  lastUsedAt: number;
  readAt: number;
}

/**
 * Caches the callers of recent keys by the key's hash. A revocation on any instance clears the entry at once. While
 * this process receives no notifications, it caches nothing.
 */
@Injectable()
export class CallerCache {
  readonly #callers = new Map<string, KnownCaller>();
  #generation = 0;

  constructor(private readonly listener: DatabaseListener) {
    listener.subscribe(CALLERS_CHANNEL, { onMessage: (userId) => this.forget(userId), onGap: () => this.#forgetAll() });
  }

  /** Counts notifications. A caller that was read before the newest one may be outdated. */
  get generation(): number {
    return this.#generation;
  }

  /** @param now milliseconds since the epoch */
  find(keyHash: string, now: number): KnownCaller | null {
    const known = this.#callers.get(keyHash);
    if (!known || !this.listener.isListening) return null;
    if (now - known.readAt > MAX_AGE_MS) {
      this.#callers.delete(keyHash);
      return null;
    }
    return known;
  }

  /** @param generation the count of notifications before the caller was read */
  remember(keyHash: string, caller: KnownCaller, generation: number): void {
    if (!this.listener.isListening || generation !== this.#generation) return;
    if (this.#callers.size >= MAX_CALLERS) this.#callers.clear();
    this.#callers.set(keyHash, caller);
  }

  /** For a revocation in this process: the next request may come sooner than the notification. */
  forget(userId: string): void {
    this.#generation++;
    for (const [keyHash, { caller }] of this.#callers) if (caller.userId === userId) this.#callers.delete(keyHash);
  }

  #forgetAll(): void {
    this.#generation++;
    this.#callers.clear();
  }
}
