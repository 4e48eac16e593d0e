import { Module } from '@nestjs/common';
import { z } from 'zod';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { ProviderToolbox } from '../bank-provider/provider-toolbox.js';
import { baseUrl, flag, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from '../config/environment-values.js';
import { WINDOWS } from './account-fetcher.js';
import { GlobalProviderClient } from './client.js';
import { GlobalProvider } from './global-provider.js';
import { RAW_LOG, RawLog } from './raw-log.js';

const ENVIRONMENT = z
  .object({
    GLOBALPROVIDER_INCLUDE_PENDING: flag
      .prefault('0')
      .describe('1: pending transactions of the global provider are asked for and imported.'),
    GLOBALPROVIDER_DEBUG_RAW: flag
      .prefault('0')
      .describe(
        '1: raw responses of the global provider go to the log, whatever LOG_LEVEL says; secrets redacted, but personal data in them.',
      ),
    GLOBALPROVIDER_BASE_URL: baseUrl
      .prefault('https://www.lunchflow.app/api/v1')
      .describe('The key goes to this host and to no other; https, unless PROVIDER_ALLOW_PRIVATE_NETWORK is 1.'),
    PROVIDER_ALLOW_PRIVATE_NETWORK,
  })
  .superRefine((env, context) => {
    // The key of a person's accounts travels in a header.
    if (schemeOf(env.GLOBALPROVIDER_BASE_URL) === 'http:' && !env.PROVIDER_ALLOW_PRIVATE_NETWORK) {
      context.addIssue({ code: 'custom', path: ['GLOBALPROVIDER_BASE_URL'], message: 'must be an https address' });
    }
  });

@Module({
  providers: [
    {
      provide: GlobalProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): GlobalProvider => {
        const settings = toolbox.settings(ENVIRONMENT);
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

export const globalProvider: ProviderDescriptor<typeof ENVIRONMENT> = {
  name: 'global_provider',
  module: GlobalProviderModule,
  implementation: GlobalProvider,
  secret: {
    field: 'api_key',
    label: 'API key',
    inSentence: 'API key',
    description: 'The API key that the provider gave you.',
    example: 'the-key-as-the-provider-shows-it',
  },
  texts: {
    title: 'Banks worldwide',
    name: 'Lunch Flow',
    reach: 'Lunch Flow: banks in Europe and many other countries, read-only.',
    steps: [
      'Sign in to Lunch Flow and connect your banks.',
      'Add an API destination and copy its API key.',
      'Paste the key below. It is stored encrypted and used only to read.',
    ],
    site: { href: 'https://www.lunchflow.app/', text: 'Open Lunch Flow' },
  },
  defaultConnectionName: 'Banks worldwide',
  requestLimit: null,
  overlapDays: WINDOWS.overlapDays,
  environment: ENVIRONMENT,
  probeUrl: ({ GLOBALPROVIDER_BASE_URL }) => GLOBALPROVIDER_BASE_URL,
  openLogContexts: ({ GLOBALPROVIDER_DEBUG_RAW }) => (GLOBALPROVIDER_DEBUG_RAW ? [RAW_LOG] : []),
};
