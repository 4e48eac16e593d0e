import { Injectable } from '@nestjs/common';
import { DemoCredentials } from '../src/providers/demo-credentials.js';
import type { ProviderDescriptor } from '../src/providers/provider-descriptor.js';
import { Config } from '../src/platform/config/config.js';
import { freshApiKey, GLOBAL_SANDBOX_PATH } from './global-provider/api-key.js';
import { freshSetupToken } from './us-provider/setup-token.js';

const SCENARIO = 'healthy';
export const RECEIVER_PATH = '/sandbox/receiver';

/** Makes credentials of the sandbox's scenario without faults. */
@Injectable()
export class SandboxCredentials extends DemoCredentials {
  readonly providers: readonly string[];

  constructor({ providers }: Config<ProviderDescriptor>) {
    super();
    // The global provider has one configured address, which may be another than the sandbox's.
    const globalProvider = providers.find(({ descriptor }) => descriptor.name === 'global_provider');
    const isGlobalHere = String(globalProvider?.settings.GLOBALPROVIDER_BASE_URL).includes(GLOBAL_SANDBOX_PATH);
    this.providers = isGlobalHere ? ['us_provider', 'global_provider'] : ['us_provider'];
  }

  create(provider: string, origin: string): string {
    return provider === 'us_provider' ? freshSetupToken(origin, SCENARIO) : freshApiKey(SCENARIO);
  }

  receiverUrl(origin: string): string {
    return origin + RECEIVER_PATH;
  }
}
