import { HttpModule, HttpService } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import type { NetworkRules } from '../bank-provider/network-guard.js';
import { ProviderHttp } from '../bank-provider/provider-http.js';
import { Config } from '../config.js';
import { Clock } from '../time/clock.js';
import { UsProviderClient } from './client.js';
import { UsProvider } from './us-provider.js';

@Module({
  imports: [HttpModule],
  providers: [
    {
      provide: UsProvider,
      inject: [HttpService, Config, Clock],
      useFactory: (http: HttpService, config: Config, clock: Clock): UsProvider => {
        const rules: NetworkRules = {
          allowedHosts: config.usProviderAllowedHosts,
          allowPrivateNetwork: config.providerAllowPrivateNetwork,
        };
        const providerHttp = new ProviderHttp(http, { rules, now: () => clock.now() });
        const client = new UsProviderClient(providerHttp, config.providerTimeoutMs);
        return new UsProvider(client, rules);
      },
    },
  ],
  exports: [UsProvider],
})
export class UsProviderModule {}
