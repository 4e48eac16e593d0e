import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/api-error.js';
import type { BankProvider } from '../../bank-provider/bank-provider.js';
import { GlobalProvider } from '../../global-provider/global-provider.js';
import { UsProvider } from '../../us-provider/us-provider.js';

/** A connection may have been made by a release that has more providers. */
export class UnknownProvider extends ApiError {
  constructor(name: string) {
    super('conflict', `This version of Tidemark does not know the provider “${name}”.`);
  }
}

/** Every provider there is, by the name it has on our API. A new vendor is one more line here. */
@Injectable()
export class BankProviders {
  readonly #all: readonly BankProvider[];

  constructor(usProvider: UsProvider, globalProvider: GlobalProvider) {
    this.#all = [usProvider, globalProvider];
  }

  /** For views: one connection that is not understood must not hide the others. */
  find(name: string): BankProvider | null {
    return this.#all.find((candidate) => candidate.name === name) ?? null;
  }

  /** @throws UnknownProvider */
  byName(name: string): BankProvider {
    const provider = this.find(name);
    if (!provider) throw new UnknownProvider(name);
    return provider;
  }
}
