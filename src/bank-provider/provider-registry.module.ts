import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { BankProvider } from './bank-provider.js';
import type { ProviderDescriptor } from './provider-descriptor.js';
import { INSTALLED_PROVIDERS, type InstalledProvider, ProviderRegistry } from './provider-registry.js';

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
