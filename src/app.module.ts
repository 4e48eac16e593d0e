import { MikroOrmModule } from '@mikro-orm/nestjs';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AccountsModule } from './balances/accounts/accounts.module.js';
import { ChangeFeedModule } from './sync/change-feed/change-feed.module.js';
import { documentRecordsOfModules } from './sync/change-feed/change-feed.response.js';
import { currentUserId } from './http/caller.js';
import { ConditionalGetService } from './http/conditional-get/conditional-get.service.js';
import { DrainService } from './http/drain.service.js';
import { RequestValidationPipe } from './http/input/request-validation.pipe.js';
import { AppSecrets } from './platform/config/app-secret.js';
import type { ProviderDescriptor } from './providers/provider-descriptor.js';
import { ProviderRegistryModule } from './providers/provider-registry.js';
import { ProviderToolboxModule } from './providers/provider-toolbox.js';
import { Config } from './platform/config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from './database/address.js';
import { ClockCheck } from './database/clock-check.service.js';
import { ormOptions } from './database/orm-options.js';
import { DatabaseListener } from './database/listener.js';
import { migrationsWith } from './database/migrations/migrations.js';
import { PlainPool } from './database/plain-pool.js';
import { DatabasePools, type SessionPool } from './database/sessions/session-pool.js';
import { declareParts, MODULES, ROOMS } from './modules.js';
import { MetricsService } from './platform/metrics/metrics.service.js';
import { ObservabilityModule } from './operate/observability.module.js';
import { createTracing } from './platform/tracing/create-tracing.js';
import { TracingService } from './platform/tracing/tracing.service.js';
import { entitiesOf, Installed, type TidemarkModule } from './platform/module.js';
import { Clock, CorrectedClock, SystemClock } from './platform/time/clock.js';
import { CredentialVault } from './platform/vault/credential-vault.js';
import { WebModule } from './web/web.module.js';

/** What the application is started with. */
export interface AppDependencies {
  config: Config<ProviderDescriptor>;
  secrets: AppSecrets;
  database: DatabaseAddress;
  clock?: Clock;
  /** Absent: {@link MODULES}. */
  modules?: readonly TidemarkModule[];
}

/** Providers that every module may inject. */
@Global()
@Module({})
class CoreModule {
  static forRoot(
    { config, secrets, database, clock }: AppDependencies,
    installed: Installed,
    pools: DatabasePools,
  ): DynamicModule {
    const corrected = new CorrectedClock(clock ?? new SystemClock());
    const providers = [
      { provide: Config, useValue: config },
      { provide: AppSecrets, useValue: secrets },
      { provide: DATABASE_ADDRESS, useValue: database },
      { provide: CorrectedClock, useValue: corrected },
      { provide: Clock, useValue: corrected },
      { provide: DatabasePools, useValue: pools },
      { provide: Installed, useValue: installed },
      { provide: TracingService, useFactory: () => createTracing(config) },
      ClockCheck,
      ConditionalGetService,
      CredentialVault,
      DatabaseListener,
      DrainService,
      MetricsService,
      PlainPool,
      RequestValidationPipe,
    ];
    const pipe = { provide: APP_PIPE, useExisting: RequestValidationPipe };
    return { module: CoreModule, providers: [...providers, pipe], exports: providers };
  }
}

@Module({})
export class AppModule {
  static forRoot(dependencies: AppDependencies): DynamicModule {
    const pools = new DatabasePools();
    const pool = { currentUserId, onPoolCreated: (entities: SessionPool) => pools.add('entities', entities) };
    const { config, database, modules = MODULES } = dependencies;
    const installed = new Installed(ROOMS, modules);
    declareParts(modules);
    documentRecordsOfModules();
    const entities = entitiesOf(installed.parts);
    return {
      module: AppModule,
      imports: [
        CoreModule.forRoot(dependencies, installed, pools),
        MikroOrmModule.forRoot({
          ...ormOptions(database, config.database, { entities, pool, migrations: migrationsWith(modules) }),
          // Who reads entities forks: most requests read none, and a context costs all of them.
          registerRequestContext: false,
        }) as DynamicModule,
        AccountsModule,
        ...installed.parts.flatMap(({ module }) => module ?? []),
        ObservabilityModule,
        ProviderRegistryModule.forRoot(config.providers.map(({ descriptor }) => descriptor)),
        ProviderToolboxModule,
        ChangeFeedModule,
        WebModule,
        ...(config.sandbox ? [loadSandbox()] : []),
      ],
    };
  }
}

/** The sandbox is not part of the product: its code is loaded only with SANDBOX=1. */
async function loadSandbox(): Promise<DynamicModule> {
  const { SandboxModule } = await import('../sandbox/sandbox.module.js');
  return { module: SandboxModule };
}
