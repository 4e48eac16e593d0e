import { Module } from '@nestjs/common';
import { z } from 'zod';
import { isAllowedHost } from '../bank-provider/http/network-guard.js';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { ProviderToolbox } from '../bank-provider/provider-toolbox.js';
import { hostPatterns } from '../config/host-patterns.js';
import { UsProviderClient } from './client.js';
import { WINDOWS } from './snapshot-draft.js';
import { UsProvider } from './us-provider.js';

const ENVIRONMENT = z.object({
  USPROVIDER_ALLOWED_HOSTS: hostPatterns('*')
    .prefault('*.simplefin.org')
    .describe('Host patterns a setup token or access URL of the US provider may name; * = any public host.'),
});

@Module({
  providers: [
    {
      provide: UsProvider,
      inject: [ProviderToolbox],
      useFactory: (toolbox: ProviderToolbox): UsProvider => {
        const { USPROVIDER_ALLOWED_HOSTS } = toolbox.settings(ENVIRONMENT);
        const rules = toolbox.networkRules(USPROVIDER_ALLOWED_HOSTS);
        return new UsProvider(new UsProviderClient(toolbox.http(rules), toolbox.timeoutMs), rules);
      },
    },
  ],
  exports: [UsProvider],
})
export class UsProviderModule {}

/** Users paste the address of their own server; this is where most of them are. */
const USUAL_SERVER = new URL('https://bridge.simplefin.org/');

export const usProvider: ProviderDescriptor<typeof ENVIRONMENT> = {
  name: 'us_provider',
  module: UsProviderModule,
  implementation: UsProvider,
  secret: {
    field: 'setup_token',
    label: 'Setup token',
    inSentence: 'setup token',
    description: 'The setup token that the provider gave you. It can be used once.',
    example: 'aHR0cHM6Ly9icmlkZ2UuZXhhbXBsZS9zaW1wbGVmaW4vY2xhaW0vb25lLXRpbWU=',
  },
  texts: {
    title: 'Banks in the United States',
    name: 'SimpleFIN',
    reach: 'SimpleFIN Bridge: read-only; the Bridge charges a small yearly fee.',
    steps: [
      'Sign in to the SimpleFIN Bridge and add your banks.',
      'Create a setup token there (a long string of letters and digits).',
      'Paste the token below. It works once: Tidemark exchanges it for its own read-only access.',
    ],
    site: { href: 'https://bridge.simplefin.org/simplefin/create', text: 'Open the SimpleFIN Bridge' },
  },
  defaultConnectionName: 'US banks',
  requestLimit: { perDay: 24, perSync: 2 },
  overlapDays: WINDOWS.days - 1,
  environment: ENVIRONMENT,
  probeUrl: ({ USPROVIDER_ALLOWED_HOSTS: allowedHosts }) =>
    isAllowedHost(USUAL_SERVER.hostname, { allowedHosts, allowPrivateNetwork: false }) ? USUAL_SERVER.href : null,
};
