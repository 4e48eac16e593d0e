import { isAllowedHost } from '../bank-provider/http/network-guard.js';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { US_PROVIDER_ENVIRONMENT } from './us-provider.environment.js';
import { UsProvider } from './us-provider.js';
import { UsProviderModule } from './us-provider.module.js';
import { WINDOW_DAYS } from './windows.js';

/** Users paste the address of their own server; this is where most of them are. */
const USUAL_SERVER = new URL('https://bridge.simplefin.org/');

export const usProvider: ProviderDescriptor<typeof US_PROVIDER_ENVIRONMENT> = {
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
  overlapDays: WINDOW_DAYS - 1,
  environment: US_PROVIDER_ENVIRONMENT,
  probeUrl: ({ USPROVIDER_ALLOWED_HOSTS: allowedHosts }) =>
    isAllowedHost(USUAL_SERVER.hostname, { allowedHosts, allowPrivateNetwork: false }) ? USUAL_SERVER.href : null,
};
