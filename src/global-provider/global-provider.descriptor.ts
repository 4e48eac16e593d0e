import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { GLOBAL_PROVIDER_ENVIRONMENT } from './global-provider.environment.js';
import { GlobalProvider } from './global-provider.js';
import { GlobalProviderModule } from './global-provider.module.js';
import { RAW_LOG } from './raw-log.js';
import { OVERLAP_DAYS } from './windows.js';

export const globalProvider: ProviderDescriptor<typeof GLOBAL_PROVIDER_ENVIRONMENT> = {
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
  overlapDays: OVERLAP_DAYS,
  environment: GLOBAL_PROVIDER_ENVIRONMENT,
  probeUrl: ({ GLOBALPROVIDER_BASE_URL }) => GLOBALPROVIDER_BASE_URL,
  openLogContexts: ({ GLOBALPROVIDER_DEBUG_RAW }) => (GLOBALPROVIDER_DEBUG_RAW ? [RAW_LOG] : []),
};
