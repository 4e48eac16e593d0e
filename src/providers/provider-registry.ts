import { type DynamicModule, Global, Inject, Injectable, Module } from '@nestjs/common';
import type { BankProvider } from './bank-provider.js';
import type { ProviderDescriptor } from './provider-descriptor.js';

/** Every installed provider, in the order of `src/providers/installed.ts`. */
const INSTALLED_PROVIDERS = Symbol('INSTALLED_PROVIDERS');

export interface InstalledProvider {
  readonly descriptor: ProviderDescriptor;
  readonly provider: BankProvider;
}

/** The connection's provider is not installed, for example because another release made the connection. */
export class UnknownProviderError extends Error {
  override readonly name = 'UnknownProviderError';

  constructor(readonly provider: string) {
    super(`This version of Tidemark does not know the provider “${provider}”.`);
  }
}

/** Finds providers by name. */
@Injectable()
export class ProviderRegistry {
  readonly #byName: ReadonlyMap<string, InstalledProvider>;

  /** @throws Error when two providers have one name */
  constructor(@Inject(INSTALLED_PROVIDERS) readonly all: readonly InstalledProvider[]) {
    this.#byName = new Map(all.map((installed) => [installed.descriptor.name, installed]));
    if (this.#byName.size < all.length) {
      throw new Error(`Two providers have the same name: ${all.map(({ descriptor }) => descriptor.name).join(', ')}`);
    }
  }

  /** @throws UnknownProviderError */
  get(name: string): InstalledProvider {
    const installed = this.find(name);
    if (!installed) throw new UnknownProviderError(name);
    return installed;
  }

  /** For views, which show a connection even when its provider is not installed; `null`: it is not. */
  find(name: string): InstalledProvider | null {
    return this.#byName.get(name) ?? null;
  }
}

/** Collects the providers under one token, so that nothing else injects a vendor. */
@Global()
@Module({})
export class ProviderRegistryModule {
  static forRoot(descriptors: readonly ProviderDescriptor[]): DynamicModule {
    return {
      module: ProviderRegistryModule,
      imports: descriptors.map(({ module }) => module),
      providers: [
        {
          provide: INSTALLED_PROVIDERS,
          inject: descriptors.map(({ implementation }) => implementation),
          useFactory: (...providers: BankProvider[]): InstalledProvider[] =>
            descriptors.map((descriptor, index) => ({ descriptor, provider: providers[index]! })),
        },
        ProviderRegistry,
      ],
      exports: [ProviderRegistry],
    };
  }
}
