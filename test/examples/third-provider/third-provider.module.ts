import { Module } from '@nestjs/common';
import { ProviderToolbox } from '../../../src/bank-provider/provider-toolbox.js';
import { ThirdProviderClient } from './third-provider.client.js';
import { THIRD_PROVIDER_ENVIRONMENT } from './third-provider.environment.js';
import { ThirdProvider } from './third-provider.js';

@Module({
  providers: [
    {
      provide: ThirdProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): ThirdProvider => {
        const { THIRDPROVIDER_BASE_URL: baseUrl } = toolbox.settings(THIRD_PROVIDER_ENVIRONMENT);
        // The token is sent to this host and to no other.
        const http = toolbox.http(toolbox.networkRules([new URL(baseUrl).hostname]));
        return new ThirdProvider(new ThirdProviderClient(http, baseUrl, toolbox.timeoutMs));
      },
    },
  ],
  exports: [ThirdProvider],
})
export class ThirdProviderModule {}
