import type { ProviderDescriptor } from './provider-descriptor.js';
import { globalProvider } from './global-provider/global-provider.module.js';
import { usProvider } from './us-provider/us-provider.module.js';

/** The installed providers, in the order in which the pages show them. A new one is one more name here, or comes from a package. */
export const PROVIDERS: ProviderDescriptor[] = [usProvider, globalProvider];
