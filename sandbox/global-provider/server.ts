import { sandboxHandler, type SandboxHandler, type SandboxOptions } from '../handler.js';
import { householdAbroad } from '../life-abroad/household-abroad.js';
import { GLOBAL_SANDBOX_PATH } from './api-key.js';
import { GlobalProviderRoutes } from './routes.js';

/** The global provider's server below {@link GLOBAL_SANDBOX_PATH}, playing the scenario of each key. */
export function createGlobalSandbox(options: SandboxOptions): SandboxHandler {
  const routes = new GlobalProviderRoutes(options.today, options.household ?? householdAbroad());
  return sandboxHandler(GLOBAL_SANDBOX_PATH, routes, options);
}
