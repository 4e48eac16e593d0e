import { Injectable } from '@nestjs/common';
import type { InstalledProvider } from '../../bank-provider/provider-registry.js';
import type { Secret } from '../../config/secret.js';
import { Clock } from '../../time/clock.js';
import { CredentialVault } from './credential-vault.js';

/** The oldest is dropped beyond it. */
const MOST_KEPT = 1_000;
const KEPT_MS = 10 * 60_000;

interface Claim {
  credential: Promise<Secret>;
  /** Milliseconds since the epoch. */
  madeAt: number;
}

/**
 * What providers gave for single-use codes, kept for a while from the moment it was given. A code is spent when the
 * provider answers: if storing fails then, the same code sent again finds here what it was spent for, and so does the
 * second of two impatient clicks, which a provider would take for somebody else's.
 */
@Injectable()
export class SingleUseClaimsService {
  readonly #kept = new Map<string, Claim>();

  constructor(
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
  ) {}

  /**
   * Spends what a person pasted, unless that was done a moment ago, and has the credential stored.
   *
   * @throws ProviderInputError, ProviderError as the port says, and what `store` throws
   */
  async redeem<T>(
    userId: string,
    { descriptor, provider }: InstalledProvider,
    pasted: Secret,
    store: (credential: Secret) => Promise<T>,
  ): Promise<T> {
    const key = [userId, descriptor.name, this.vault.fingerprints(pasted)[0]].join(' ');
    const now = this.clock.now().getTime();
    this.#forget(now);
    let claim = this.#kept.get(key);
    if (!claim) this.#kept.set(key, (claim = { credential: provider.connect(pasted), madeAt: now }));
    return store(await this.#given(key, claim));
  }

  async #given(key: string, { credential }: Claim): Promise<Secret> {
    try {
      return await credential;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #forget(now: number): void {
    for (const [key, { madeAt }] of this.#kept) {
      if (this.#kept.size > MOST_KEPT || now - madeAt >= KEPT_MS) this.#kept.delete(key);
    }
  }
}
