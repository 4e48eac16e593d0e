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
  requestLimit: null,
  overlapDays: OVERLAP_DAYS,
  environment: GLOBAL_PROVIDER_ENVIRONMENT,
  openLogContexts: ({ GLOBALPROVIDER_DEBUG_RAW }) => (GLOBALPROVIDER_DEBUG_RAW ? [RAW_LOG] : []),
};
