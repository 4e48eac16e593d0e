import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/api-error.js';
import type { BankProvider } from '../../bank-provider/bank-provider.js';
import type { Secret } from '../../bank-provider/secret.js';
import { CredentialVault } from './credential-vault.js';

/** The oldest is dropped beyond it. */
const MOST_KEPT = 1_000;

/**
 * What providers gave for single-use codes, kept from the moment it was given until it is stored. A code is spent when
 * the provider answers: if storing fails then, the same code sent again finds here what it was spent for, and so does
 * the second of two impatient clicks.
 */
@Injectable()
export class ClaimedCredentials {
  readonly #kept = new Map<string, Promise<Secret>>();

  constructor(private readonly vault: CredentialVault) {}

  /**
   * Spends what a person pasted, unless that was done already, and has the credential stored.
   *
   * @throws ProviderInputError, ProviderError as the port says, and what `store` throws
   */
  async redeem<T>(
    userId: string,
    provider: BankProvider,
    pasted: Secret,
    store: (credential: Secret) => Promise<T>,
  ): Promise<T> {
    const key = [userId, provider.name, this.vault.fingerprints(pasted)[0]].join(' ');
    const credential = await this.#claim(key, provider, pasted);
    try {
      const stored = await store(credential);
      this.#kept.delete(key);
      return stored;
    } catch (error) {
      // Stored somewhere else already.
      if (error instanceof ApiError && error.code === 'conflict') this.#kept.delete(key);
      throw error;
    }
  }

  async #claim(key: string, provider: BankProvider, pasted: Secret): Promise<Secret> {
    const claim = this.#kept.get(key) ?? provider.connect(pasted);
    this.#kept.set(key, claim);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return await claim;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }
}
