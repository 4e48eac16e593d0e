import { Injectable, Logger } from '@nestjs/common';
import { ProviderError } from '../../bank-provider/provider-error.js';
import type { InstalledProvider } from '../../bank-provider/provider-registry.js';
import type { Secret } from '../../config/secret.js';
import { DrainService, stopping } from '../../http/drain.service.js';
import { unlessAborted, withAbortScope } from '../../time/abort-scope.js';
import { Clock } from '../../time/clock.js';
import { CLAIM_LOCK_MS, type ClaimKey, ClaimLocksService, type HeldClaimLock } from './claim-locks.service.js';
import { CredentialVault } from '../../vault/credential-vault.js';

/** Beyond it the oldest claim is dropped. */
const MAX_KEPT = 1_000;
/** A minute less than the lock, because clocks of instances differ by seconds. */
const KEPT_MS = CLAIM_LOCK_MS - 60_000;

/** From the first attempt to an answer, retries included. */
const CONNECT_DEADLINE_MS = 20_000;

/** The credential that a provider gave for a code, and the lock that was held meanwhile. */
interface Claimed {
  credential: Secret;
  lock: HeldClaimLock;
}

interface Claim {
  claimed: Promise<Claimed>;
  /** Milliseconds since the epoch. */
  madeAt: number;
}

export interface ClaimOwner {
  userId: string;
  /** The connection that gets the credential; `null`: a new one. */
  connectionId: string | null;
}

/**
 * Exchanges single-use codes for credentials, and keeps the credentials in memory for nine minutes. A code is spent when
 * the provider answers. If storing fails after that, the same code sent again gets the kept credential; so does a
 * second click, which the provider would refuse. A lock keeps other instances from spending the code meanwhile.
 */
@Injectable()
export class SingleUseClaimsService {
  readonly #log = new Logger('Connections');
  readonly #kept = new Map<string, Claim>();

  constructor(
    private readonly vault: CredentialVault,
    private readonly locks: ClaimLocksService,
    private readonly clock: Clock,
    private readonly drain: DrainService,
  ) {}

  /**
   * Spends the pasted secret, unless that was done a moment ago, and stores the credential. A second caller waits for
   * the claim under way, and no longer than its deadline.
   *
   * @param store stores the credential and returns the id of its connection
   * @throws ProviderInputError, ProviderError as the port says, and what `store` throws; DomainError `conflict` while
   * another instance spends the same secret, `unavailable` while this one stops
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
    this.#dropExpired(now);
    let claim = this.#kept.get(name);
    if (!claim) {
      const claimed = this.#claim(key, owner, installed, pasted);
      this.#kept.set(name, (claim = { claimed, madeAt: now }));
    }
    const { credential, lock } = await claim.claimed.catch((error: unknown) => {
      this.#kept.delete(name);
      throw error;
    });
    const connectionId = await store(credential);
    // The credential is stored, which is what counts.
    await this.locks.markDone(lock, connectionId).catch((failure: unknown) => this.#logLock(failure));
    return connectionId;
  }

  async #claim(
    key: ClaimKey,
    { connectionId }: ClaimOwner,
    { provider }: InstalledProvider,
    pasted: Secret,
  ): Promise<Claimed> {
    // The stop would not wait for it.
    if (this.drain.begun.aborted) throw stopping();
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

  #logLock(failure: unknown): void {
    this.#log.warn(`Updating the lock of a credential failed; it expires on its own: ${String(failure)}`);
  }

  #dropExpired(now: number): void {
    for (const [name, { madeAt }] of this.#kept) {
      if (this.#kept.size > MAX_KEPT || now - madeAt >= KEPT_MS) this.#kept.delete(name);
    }
  }
}

function noAnswer(): ProviderError {
  return new ProviderError('network', `The provider did not answer within ${CONNECT_DEADLINE_MS / 1_000} s.`);
}
