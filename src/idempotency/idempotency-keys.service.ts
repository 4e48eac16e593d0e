import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Kysely } from 'kysely';
import { ClockCheck } from '../database/clock-check.service.js';
import { Secret } from '../config/secret.js';
import { CredentialVault, keyIdOf } from '../vault/credential-vault.js';
import { withOpeningStatement } from '../database/sessions/held-session.js';
import { DomainError, rateLimitExceeded, validationFailed } from '../errors/domain-error.js';
import { IdempotencyKeys, type KeyedRequest, type StoredAnswer } from '../http/idempotency/idempotency.interceptor.js';
import { Clock } from '../time/clock.js';
import { IdempotencyKeysQueries, type KeyOwner, type Use } from './idempotency-keys.queries.js';

/** How long an answer is kept. */
export const KEPT_MS = 24 * 3_600_000;
const RENEW_EVERY_MS = 10_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Per person within a day, beside those of API keys that are limited to accounts. */
const MAX_KEYS = 5_000;
/** Per such API key: one alone must not take the room of the person's other programs. */
const MAX_KEYS_OF_LIMITED = 500;
const MAX_ANSWER_CHARS = 65_536;
/** Most running requests end within this time. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Stores idempotency keys in the database, for all instances. Each transaction of a request first marks the row of its
 * key. So the mark and the work of the request commit together, a request that lost its key commits nothing, and after
 * a crash the mark says whether the request may run again. Answers are sealed, because some contain secrets.
 */
@Injectable()
export class IdempotencyKeysService extends IdempotencyKeys implements BeforeApplicationShutdown {
  readonly #log = new Logger('IdempotencyKeys');
  #pruning: Promise<void> = Promise.resolve();

  constructor(
    private readonly keys: IdempotencyKeysQueries,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
    private readonly clockCheck: ClockCheck,
  ) {
    super();
  }

  @Interval('idempotency-keys', PRUNE_EVERY_MS)
  async pruneRegularly(): Promise<void> {
    if (this.clockCheck.problem) return;
    await (this.#pruning = this.prune().catch((error: unknown) =>
      this.#warn('Deleting expired idempotency keys failed', error),
    ));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#pruning;
  }

  /** Deletes everybody's expired keys. A person's own are also deleted with each new key. */
  prune(): Promise<void> {
    return this.keys.deleteExpired(null, this.clock.now());
  }

  async once(
    request: KeyedRequest,
    execute: () => Promise<StoredAnswer>,
  ): Promise<{ answer: StoredAnswer; isReplayed: boolean }> {
    const { userId, owner } = request;
    const key = owner === null ? request.key : `${owner} ${request.key}`;
    const use = { userId, owner, key, holder: randomUUID() };
    const stored = await this.#acquire(use, this.vault.fingerprints(new Secret(request.digest)));
    if (stored) return { answer: stored, isReplayed: true };
    return { answer: await this.#execute(use, execute), isReplayed: false };
  }

  /** @returns the stored answer; `null`: the request now holds the key */
  async #acquire(use: Use & KeyOwner, fingerprints: [string, ...string[]]): Promise<StoredAnswer | null> {
    const now = this.clock.now();
    await this.keys.deleteExpired(use.userId, now);
    const [fingerprint] = fingerprints;
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    const row = { fingerprint, expiresAt, maxKeys: maxKeysOf(use) };
    if (await this.keys.insert(use, row)) return null;
    const found = await this.keys.find(use);
    // There is no row: its owner has too many keys, or the request that held the key has just failed.
    if (!found) throw await this.#refusal(use, now);
    if (!fingerprints.includes(found.fingerprint)) {
      // The fingerprint is under the same secret as the answer: without it nothing tells whether the request is another.
      if (found.answer !== null && !this.vault.keyIds.includes(keyIdOf(found.answer))) throw answerLost();
      throw validationFailed(['Idempotency-Key was used for another request: use a new one for each']);
    }
    if (found.answer !== null) return this.#open(found.answer, use);
    if (found.is_lease_over && found.has_committed) throw answerLost();
    if (found.is_lease_over && (await this.keys.takeOver(use, found.holder))) return null;
    throw stillRunning();
  }

  async #execute(use: Use, execute: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    const renew = () =>
      this.keys
        .renew(use)
        .catch((error: unknown) => this.#warn('Renewing the lease of an idempotency key failed', error));
    const renewal = setInterval(() => void renew(), RENEW_EVERY_MS).unref();
    try {
      const mark = async (transaction: Kysely<unknown>) => {
        if (!(await this.keys.markCommitted(use, transaction))) throw stillRunning();
      };
      const answer = await withOpeningStatement(mark, execute);
      await this.#finish(use, answer);
      return answer;
    } catch (error) {
      const release = this.keys.release(use);
      await release.catch((failure: unknown) =>
        this.#warn('Releasing an idempotency key failed; it is in use until its lease ends', failure),
      );
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** The request has done its work, even if its answer cannot be stored. */
  async #finish(use: Use, answer: StoredAnswer): Promise<void> {
    const text = JSON.stringify(answer);
    const sealed = text.length > MAX_ANSWER_CHARS ? null : this.vault.seal(new Secret(text), ownerOf(use));
    const finish = this.keys.finish(use, sealed);
    await finish.catch((failure: unknown) => this.#warn('Storing the answer of an idempotency key failed', failure));
  }

  #open(sealed: string, use: Use): StoredAnswer {
    try {
      return JSON.parse(this.vault.open(sealed, ownerOf(use)).reveal()) as StoredAnswer;
    } catch (error) {
      this.#warn('Opening a stored answer failed', error);
      throw answerLost();
    }
  }

  async #refusal(keyOwner: KeyOwner, now: Date): Promise<DomainError> {
    const maxKeys = maxKeysOf(keyOwner);
    const expiry = await this.keys.roomFrom(keyOwner, maxKeys);
    if (!expiry) return stillRunning();
    const who = keyOwner.owner === null ? 'You have' : 'This API key has';
    const waitSeconds = Math.max(1, Math.ceil((expiry.getTime() - now.getTime()) / 1_000));
    return rateLimitExceeded(`${who} used ${maxKeys} idempotency keys within a day.`, maxKeys, waitSeconds);
  }

  #warn(what: string, error: unknown): void {
    this.#log.warn(`${what}: ${String(error)}`);
  }
}

function maxKeysOf({ owner }: KeyOwner): number {
  return owner === null ? MAX_KEYS : MAX_KEYS_OF_LIMITED;
}

/** Additional data that a sealed answer is bound to. */
function ownerOf({ userId, key }: Use): string {
  return `${userId}/idempotency-key/${key}`;
}

function stillRunning(): DomainError {
  return new DomainError('idempotency_conflict', 'A request with this Idempotency-Key is still running.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function answerLost(): DomainError {
  const what = 'A request with this Idempotency-Key has changed data, but its answer was lost.';
  return new DomainError('idempotency_conflict', `${what} Check what is stored before you send it with another key.`);
}
