import { Global, type LoggerService, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { BankProvider } from '../../src/providers/bank-provider.js';
import type { ProviderDescriptor } from '../../src/providers/provider-descriptor.js';
import { ProviderRegistry, ProviderRegistryModule } from '../../src/providers/provider-registry.js';
import { ProviderToolboxModule } from '../../src/providers/provider-toolbox.js';
import { Config, readConfig } from '../../src/platform/config/config.js';
import { NoTracing, TracingService } from '../../src/platform/tracing/tracing.service.js';
import { Clock, SystemClock } from '../../src/platform/time/clock.js';

/** A provider as its own module builds it in this environment. */
export async function providerIn(
  descriptor: ProviderDescriptor,
  environment: NodeJS.ProcessEnv,
  logger: LoggerService | false = false,
): Promise<BankProvider> {
  const dependencies = [
    { provide: Config, useValue: readConfig([descriptor], [], {}, environment) },
    { provide: Clock, useValue: new SystemClock() },
    { provide: TracingService, useValue: new NoTracing() },
  ];
  @Global()
  @Module({ providers: dependencies, exports: dependencies })
  class AppDependencies {}
  const imports = [AppDependencies, ProviderToolboxModule, ProviderRegistryModule.forRoot([descriptor])];
  const builder = Test.createTestingModule({ imports });
  if (logger) builder.setLogger(logger);
  const module = await builder.compile();
  return module.get(ProviderRegistry).get(descriptor.name).provider;
}
