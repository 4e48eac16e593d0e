import { Module } from '@nestjs/common';
import { ProviderToolbox } from '../bank-provider/provider-toolbox.js';
import { GlobalProviderClient } from './client.js';
import { GLOBAL_PROVIDER_ENVIRONMENT } from './global-provider.environment.js';
import { GlobalProvider } from './global-provider.js';
import { RawLog } from './raw-log.js';

@Module({
  providers: [
    {
      provide: GlobalProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): GlobalProvider => {
        const settings = toolbox.settings(GLOBAL_PROVIDER_ENVIRONMENT);
        const baseUrl = settings.GLOBALPROVIDER_BASE_URL;
        // The key goes to this host and to no other.
        const http = toolbox.http(toolbox.networkRules([new URL(baseUrl).hostname]));
        const rawLog = settings.GLOBALPROVIDER_DEBUG_RAW ? new RawLog() : null;
        const client = new GlobalProviderClient(http, { baseUrl, timeoutMs: toolbox.timeoutMs, rawLog });
        return new GlobalProvider(client, settings.GLOBALPROVIDER_INCLUDE_PENDING);
      },
    },
  ],
  exports: [GlobalProvider],
})
export class GlobalProviderModule {}
