import { Module } from '@nestjs/common';
import { z } from 'zod';
import type { ProviderDescriptor } from '../../../src/providers/provider-descriptor.js';
import { ProviderToolbox } from '../../../src/providers/provider-toolbox.js';
import { baseUrl } from '../../../src/platform/config/environment-values.js';
import { ThirdProviderClient } from './client.js';
import { ThirdProvider, WINDOWS } from './third-provider.js';

const ENVIRONMENT = z.object({
  THIRDPROVIDER_BASE_URL: baseUrl
    .prefault('https://api.third-provider.example/v1')
    .describe('The access token goes to this host and to no other.'),
});

@Module({
  providers: [
    {
      provide: ThirdProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): ThirdProvider => {
        const { THIRDPROVIDER_BASE_URL: baseUrl } = toolbox.settings(ENVIRONMENT);
        // The token is sent to this host and to no other.
        const http = toolbox.http(toolbox.networkRules([new URL(baseUrl).hostname]));
        return new ThirdProvider(new ThirdProviderClient(http, baseUrl, toolbox.timeoutMs));
      },
    },
  ],
  exports: [ThirdProvider],
})
export class ThirdProviderModule {}

export const thirdProvider: ProviderDescriptor<typeof ENVIRONMENT> = {
  name: 'third_provider',
  module: ThirdProviderModule,
  implementation: ThirdProvider,
  requestLimit: { perDay: 100, perSync: 2 },
  overlapDays: WINDOWS.overlapDays,
  environment: ENVIRONMENT,
  secret: {
    field: 'access_token',
    label: 'Access token',
    inSentence: 'access token',
    description: 'The access token that Third Provider shows under “Developers”.',
    example: 'tp_0123456789abcdef',
  },
  texts: {
    title: 'Banks of Third Provider',
    name: 'Third Provider',
    reach: 'An example provider that reaches invented banks.',
    steps: ['Sign in at Third Provider and add your banks there.', 'Create an access token under “Developers”.'],
    site: { href: 'https://third-provider.example/', text: 'Open Third Provider' },
  },
  defaultConnectionName: 'Third banks',
};
