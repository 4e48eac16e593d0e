import { HttpModule, HttpService } from '@nestjs/axios';
import { Global, Injectable, Module } from '@nestjs/common';
import type { z } from 'zod';
import { Config } from '../platform/config/config.js';
import { Clock } from '../platform/time/clock.js';
import { TracingService } from '../platform/tracing/tracing.service.js';
import type { NetworkRules } from './http/network-guard.js';
import { ProviderHttp } from './http/provider-http.js';
import { PublicHttp } from './http/public-http.js';

/** What the module of a provider builds it from. */
@Injectable()
export class ProviderToolbox {
  constructor(
    private readonly httpService: HttpService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tracing: TracingService,
  ) {}

  /** Limit of one whole request. */
  get timeoutMs(): number {
    return this.config.providerTimeoutMs;
  }

  /**
   * Values of a provider's environment variables.
   *
   * @param environment schema in its descriptor
   */
  settings<Environment extends z.ZodObject>(environment: Environment): z.output<Environment> {
    const found = this.config.providers.find((installed) => installed.descriptor.environment === environment);
    if (!found) throw new Error('These are not the environment variables of an installed provider.');
    return found.settings as z.output<Environment>;
  }

  /** @param allowedHosts patterns of the hosts that the provider may name */
  networkRules(allowedHosts: readonly string[]): NetworkRules {
    return { allowedHosts, allowPrivateNetwork: this.config.providerAllowPrivateNetwork };
  }

  http(rules: NetworkRules): ProviderHttp {
    return new ProviderHttp(this.httpService, { rules, now: () => this.clock.now(), tracing: this.tracing });
  }
}

@Global()
@Module({ imports: [HttpModule], providers: [ProviderToolbox, PublicHttp], exports: [ProviderToolbox, PublicHttp] })
export class ProviderToolboxModule {}
