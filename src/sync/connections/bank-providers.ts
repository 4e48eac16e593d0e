import { Injectable } from '@nestjs/common';
import type { BankProvider } from '../../bank-provider/bank-provider.js';
import { GlobalProvider } from '../../global-provider/global-provider.js';
import { UsProvider } from '../../us-provider/us-provider.js';

/** Every provider there is, by the name it has on our API. A new vendor is one more line here. */
@Injectable()
export class BankProviders {
  readonly #all: readonly BankProvider[];

  constructor(usProvider: UsProvider, globalProvider: GlobalProvider) {
    this.#all = [usProvider, globalProvider];
  }

  byName(name: string): BankProvider {
    const provider = this.#all.find((candidate) => candidate.name === name);
    if (!provider) throw new Error(`there is no provider named ${name}`);
    return provider;
  }
}
