import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { GlobalProvider } from './global-provider.js';
import { GlobalProviderModule } from './global-provider.module.js';
import { OVERLAP_DAYS } from './windows.js';

export const globalProvider: ProviderDescriptor = {
  name: 'global_provider',
  module: GlobalProviderModule,
  implementation: GlobalProvider,
  requestLimit: null,
  overlapDays: OVERLAP_DAYS,
};
