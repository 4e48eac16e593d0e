import { Module } from '@nestjs/common';
import { ProviderToolbox } from '../bank-provider/provider-toolbox.js';
import { UsProviderClient } from './client.js';
import { US_PROVIDER_ENVIRONMENT } from './us-provider.environment.js';
import { UsProvider } from './us-provider.js';

@Module({
  providers: [
    {
      provide: UsProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): UsProvider => {
        const { USPROVIDER_ALLOWED_HOSTS } = toolbox.settings(US_PROVIDER_ENVIRONMENT);
        const rules = toolbox.networkRules(USPROVIDER_ALLOWED_HOSTS);
        const client = new UsProviderClient(toolbox.http(rules), toolbox.timeoutMs);
        return new UsProvider(client, rules);
      },
    },
  ],
  exports: [UsProvider],
})
export class UsProviderModule {}
