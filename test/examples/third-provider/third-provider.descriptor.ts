import type { ProviderDescriptor } from '../../../src/bank-provider/provider-descriptor.js';
import { THIRD_PROVIDER_ENVIRONMENT } from './third-provider.environment.js';
import { ThirdProvider } from './third-provider.js';
import { ThirdProviderModule } from './third-provider.module.js';
import { OVERLAP_DAYS } from './third-provider.windows.js';

export const thirdProvider: ProviderDescriptor<typeof THIRD_PROVIDER_ENVIRONMENT> = {
  name: 'third_provider',
  module: ThirdProviderModule,
  implementation: ThirdProvider,
  requestLimit: { perDay: 100, perSync: 2 },
  overlapDays: OVERLAP_DAYS,
  environment: THIRD_PROVIDER_ENVIRONMENT,
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
