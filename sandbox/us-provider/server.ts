import { sandboxHandler, type SandboxHandler, type SandboxOptions } from '../handler.js';
import { lifelikeHousehold } from '../life/lifelike-household.js';
import { UsProviderRoutes } from './routes.js';
import { US_SANDBOX_PATH } from './setup-token.js';

/**
 * The US provider's server: claim, info and accounts below {@link US_SANDBOX_PATH}, playing the scenario of each code.
 */
export function createUsSandbox(options: SandboxOptions): SandboxHandler {
  const routes = new UsProviderRoutes(options.today, options.household ?? lifelikeHousehold());
  return sandboxHandler(US_SANDBOX_PATH, routes, options);
}
