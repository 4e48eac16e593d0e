import { Injectable, Logger } from '@nestjs/common';
import { ProviderError } from '../../bank-provider/provider-error.js';
import type { InstalledProvider } from '../../bank-provider/provider-registry.js';
import type { Secret } from '../../config/secret.js';
import { unlessAborted, withAbortScope } from '../../time/abort-scope.js';
import { Clock } from '../../time/clock.js';
import { type ClaimKey, type ClaimLock, ClaimLocksService } from './claim-locks.service.js';
import { CredentialVault } from '../../vault/credential-vault.js';

/** The oldest is dropped beyond it. */
const MOST_KEPT = 1_000;
const KEPT_MS = 10 * 60_000;

/** From the first attempt to an answer; a provider that is asked several times has no longer. */
const CONNECT_DEADLINE_MS = 20_000;

/** What a provider gave for a code, and the lock under which it did. */
interface Claimed {
  credential: Secret;
  lock: ClaimLock;
}

interface Claim {
  claimed: Promise<Claimed>;
  /** Milliseconds since the epoch. */
  madeAt: number;
}

/** Whose secret it is, and which connection gets the credential; `null`: a new one. */
export interface ClaimOwner {
  userId: string;
  connectionId: string | null;
}

/**
 * What providers gave for single-use codes, kept for a while from the moment it was given. A code is spent when the
 * provider answers: if storing fails then, the same code sent again finds here what it was spent for, and so does the
 * second of two impatient clicks, which a provider would take for somebody else's. Other instances are kept out by a lock.
 */
@Injectable()
export class SingleUseClaimsService {
  readonly #log = new Logger('Connections');
  readonly #kept = new Map<string, Claim>();

  constructor(
    private readonly vault: CredentialVault,
    private readonly locks: ClaimLocksService,
    private readonly clock: Clock,
  ) {}

  /**
   * Spends what a person pasted, unless that was done a moment ago, and has the credential stored. Whoever joins a claim
   * under way waits no longer than the claim itself may take.
   *
   * @param store returns the id of the connection that has the credential now
   * @throws ProviderInputError, ProviderError as the port says, and what `store` throws; ApiError `conflict` while another
   * instance connects the same
   */
  async redeem(
    owner: ClaimOwner,
    installed: InstalledProvider,
    pasted: Secret,
    store: (credential: Secret) => Promise<string>,
  ): Promise<string> {
    const key = {
      userId: owner.userId,
      provider: installed.descriptor.name,
      fingerprint: this.vault.fingerprints(pasted)[0],
    };
    const name = Object.values(key).join(' ');
    const now = this.clock.now().getTime();
    this.#forget(now);
    let claim = this.#kept.get(name);
    if (!claim) {
      const claimed = this.#claim(key, owner, installed, pasted);
      this.#kept.set(name, (claim = { claimed, madeAt: now }));
    }
    const { credential, lock } = await this.#given(name, claim);
    const connectionId = await store(credential);
    await this.#markDone(lock, connectionId);
    return connectionId;
  }

  async #claim(
    key: ClaimKey,
    { connectionId }: ClaimOwner,
    { provider }: InstalledProvider,
    pasted: Secret,
  ): Promise<Claimed> {
    const lock = await this.locks.acquire(key, connectionId);
    try {
      const scope = { signals: [], timeoutMs: CONNECT_DEADLINE_MS, timeoutReason: noAnswer };
      const credential = await withAbortScope(scope, (signal) =>
        unlessAborted(signal, provider.connect(pasted, signal)),
      );
      return { credential, lock };
    } catch (error) {
      await this.locks.release(lock).catch((failure: unknown) => this.#logLock(failure));
      throw error;
    }
  }

  async #given(name: string, { claimed }: Claim): Promise<Claimed> {
    try {
      return await claimed;
    } catch (error) {
      this.#kept.delete(name);
      throw error;
    }
  }

  /** The credential is stored, which is what counts. */
  async #markDone(lock: ClaimLock, connectionId: string): Promise<void> {
    await this.locks.markDone(lock, connectionId).catch((failure: unknown) => this.#logLock(failure));
  }

  #logLock(failure: unknown): void {
    this.#log.warn(`The lock of a connected secret was not changed and expires by itself: ${String(failure)}`);
  }

  #forget(now: number): void {
    for (const [name, { madeAt }] of this.#kept) {
      if (this.#kept.size > MOST_KEPT || now - madeAt >= KEPT_MS) this.#kept.delete(name);
    }
  }
}

function noAnswer(): ProviderError {
  return new ProviderError('network', `The provider did not answer within ${CONNECT_DEADLINE_MS / 1_000} s.`);
}
