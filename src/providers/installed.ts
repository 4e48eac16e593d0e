import type { ProviderDescriptor } from './provider-descriptor.js';
import { globalProvider } from './global-provider/global-provider.module.js';
import { usProvider } from './us-provider/us-provider.module.js';

/** The installed providers, in the order in which the pages show them. A new provider is one more name here. */
export const PROVIDERS: readonly ProviderDescriptor[] = [usProvider, globalProvider];
