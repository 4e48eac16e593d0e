import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { US_PROVIDER_ENVIRONMENT } from './us-provider.environment.js';
import { UsProvider } from './us-provider.js';
import { UsProviderModule } from './us-provider.module.js';
import { OVERLAP_DAYS } from './windows.js';

export const usProvider: ProviderDescriptor = {
  name: 'us_provider',
  module: UsProviderModule,
  implementation: UsProvider,
  requestLimit: { perDay: 24, perSync: 2 },
  overlapDays: OVERLAP_DAYS,
  environment: US_PROVIDER_ENVIRONMENT,
};
