import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { lockUser } from '../../database/lock-user.js';
import { Secret } from '../../platform/config/secret.js';
import { withOpeningStatement } from '../../database/sessions/held-session.js';
import { DomainError, rateLimitExceeded, validationFailed } from '../../platform/domain-error.js';
import { Clock } from '../../platform/time/clock.js';
import { CredentialVault, keyIdOf } from '../../platform/vault/credential-vault.js';
import { IdempotencyKeysRepository, type KeyName, type KeyOwner, type Use } from './idempotency-keys.repository.js';

const HOUR_MS = 3_600_000;
/** How long the answer to a request is kept. */
const KEPT_MS = 24 * HOUR_MS;
/** How long a sent form is remembered, and its result can be shown. */
const FORM_KEPT_MS = HOUR_MS;
/** Per person within a day, beside those of API keys that are limited to accounts. */
const MAX_KEYS = 5_000;
/** Per such API key: one alone must not take the room of the person's other programs. */
const MAX_KEYS_OF_LIMITED = 500;
const MAX_ANSWER_CHARS = 65_536;
/** Most running requests end within this time. */
const RETRY_AFTER_SECONDS = 1;

/** A request under an `Idempotency-Key`. */
interface KeyedRequest {
  userId: string;
  /** The API key that is limited to accounts, by its id: its keys are its own. `null`: those of the person's others. */
  owner: string | null;
  key: string;
  /** Equal only for the same API key, method, address and body. */
  digest: string;
}

interface StoredAnswer {
  status: number;
  /** Absent: the answer has no body. */
  body?: unknown;
}

/** A form on one page of one session, identified by its token. */
interface FormKey {
  userId: string;
  /** Hexadecimal. */
  formId: string;
}

/**
 * Does once what is sent more than once, on any instance: requests under an `Idempotency-Key`, and forms. Each
 * transaction of a request first marks the row of its key. So the mark and the work of the request commit together, a
 * request that lost its key commits nothing, and after a crash the mark says whether the request may run again. A form is
 * one transaction. Answers are sealed, because some contain secrets.
 */
@Injectable()
export class IdempotencyKeysService {
  readonly #log = new Logger('IdempotencyKeys');

  constructor(
    private readonly em: EntityManager,
    private readonly keys: IdempotencyKeysRepository,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes a form once, however often it is sent: a double click and a reload send it again.
   *
   * @param work runs in the transaction of the injected entity manager and returns the result to show once; not called
   * when the same form was or is being sent
   */
  async sendOnce(form: FormKey, work: () => Promise<object>): Promise<void> {
    const name = nameOfForm(form);
    const now = this.clock.now();
    await this.em.transactional(async (em) => {
      // As their deletion does, before anything that `work` locks. The same form sent again waits here.
      await lockUser(em, name.userId);
      if ((await this.keys.findUse(name)) !== null) return;
      const answer = this.#seal(await work(), name);
      const expiresAt = new Date(now.getTime() + FORM_KEPT_MS);
      const holder = randomUUID();
      await this.keys.insert({
        ...name,
        holder,
        fingerprint: '',
        leasedUntil: now,
        hasCommitted: true,
        answer,
        expiresAt,
      });
    });
  }

  /** Whether the same form was sent before and executed. */
  async wasSent(form: FormKey): Promise<boolean> {
    return (await this.keys.findUse(nameOfForm(form))) !== null;
  }

  /** The result of a form; `null`: it was shown already, or there is no such form. */
  async takeResult<Result extends object>(form: FormKey): Promise<Result | null> {
    const name = nameOfForm(form);
    const sealed = await this.keys.takeAnswer(name, this.clock.now());
    return sealed === null ? null : (JSON.parse(this.vault.open(sealed, boundTo(name)).reveal()) as Result);
  }

  /**
   * Executes a request unless its key has an answer.
   *
   * @param execute its failure frees the key, unless it has committed something
   * @throws DomainError `idempotency_conflict` while the key is in use, `validation_failed` when it was used for
   * another request; and what `execute` throws
   */
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
    if (await this.keys.claim(use, row)) return null;
    const found = await this.keys.findUse(use);
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
    }
  }

  /** The request has done its work, even if its answer cannot be stored. */
  async #finish(use: Use, answer: StoredAnswer): Promise<void> {
    const finish = this.keys.finish(use, this.#seal(answer, use));
    await finish.catch((failure: unknown) => this.#warn('Storing the answer of an idempotency key failed', failure));
  }

  /** `null`: it is too long. */
  #seal(answer: object, name: KeyName): string | null {
    const text = JSON.stringify(answer);
    return text.length > MAX_ANSWER_CHARS ? null : this.vault.seal(new Secret(text), boundTo(name));
  }

  #open(sealed: string, name: KeyName): StoredAnswer {
    try {
      return JSON.parse(this.vault.open(sealed, boundTo(name)).reveal()) as StoredAnswer;
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

/** As the keys of an owner: they take no room of the person's requests. */
function nameOfForm({ userId, formId }: FormKey): KeyName {
  return { userId, key: `form ${formId}` };
}

function maxKeysOf({ owner }: KeyOwner): number {
  return owner === null ? MAX_KEYS : MAX_KEYS_OF_LIMITED;
}

/** Additional data that a sealed answer is bound to. */
function boundTo({ userId, key }: KeyName): string {
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
