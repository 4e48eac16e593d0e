import { HttpModule, HttpService } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { ProviderHttp } from '../bank-provider/provider-http.js';
import { Config } from '../config.js';
import { Clock } from '../time/clock.js';
import { GlobalProviderClient } from './client.js';
import { GlobalProvider } from './global-provider.js';
import { RawLog } from './raw-log.js';

@Module({
  imports: [HttpModule],
  providers: [
    {
      provide: GlobalProvider,
      inject: [HttpService, Config, Clock],
      useFactory: (http: HttpService, config: Config, clock: Clock): GlobalProvider => {
        const baseUrl = config.globalProviderBaseUrl;
        // The key goes to this host and to no other.
        const rules = {
          allowedHosts: [new URL(baseUrl).hostname],
          allowPrivateNetwork: config.providerAllowPrivateNetwork,
        };
        const providerHttp = new ProviderHttp(http, { rules, now: () => clock.now() });
        const rawLog = config.globalProviderDebugRaw ? new RawLog() : null;
        const client = new GlobalProviderClient(providerHttp, { baseUrl, timeoutMs: config.providerTimeoutMs, rawLog });
        return new GlobalProvider(client, config.globalProviderIncludePending);
      },
    },
  ],
  exports: [GlobalProvider],
})
export class GlobalProviderModule {}
