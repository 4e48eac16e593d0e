import { Injectable } from '@nestjs/common';
import { DatabaseListener } from '../database/listener.js';
import type { Caller } from '../http/caller.js';

/** A caller is asked about again after this time even when no news came. */
const MAX_AGE_MS = 10_000;
const MAX_CALLERS = 10_000;

export interface KnownCaller {
  caller: Caller;
  expiresAt: Date | null;
  /** When `last_used_at` was written last. */
  lastUsedAt: number;
  readAt: number;
}

/**
 * Remembers who recent keys belong to, by the key's hash. A revocation on any instance clears it here at once; while
 * this process cannot hear of one, it remembers nobody.
 */
@Injectable()
export class CallerCache {
  readonly #callers = new Map<string, KnownCaller>();
  #news = 0;

  constructor(private readonly listener: DatabaseListener) {
    listener.subscribe('api_keys', { onMessage: (userId) => this.forget(userId), onGap: () => this.#forgetAll() });
  }

  /** How much news has come. What was read from the database before the newest may be older than it. */
  get news(): number {
    return this.#news;
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

  /** @param news how much had come before the caller was read */
  remember(keyHash: string, caller: KnownCaller, news: number): void {
    if (!this.listener.isListening || news !== this.#news) return;
    if (this.#callers.size >= MAX_CALLERS) this.#callers.clear();
    this.#callers.set(keyHash, caller);
  }

  /** For who revokes a key here: the next request may come sooner than the news. */
  forget(userId: string): void {
    this.#news++;
    for (const [keyHash, { caller }] of this.#callers) if (caller.userId === userId) this.#callers.delete(keyHash);
  }

  #forgetAll(): void {
    this.#news++;
    this.#callers.clear();
  }
}
