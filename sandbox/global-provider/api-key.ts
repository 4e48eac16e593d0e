import type { IncomingHttpHeaders } from 'node:http';
import { freshCode } from '../scenario-code.js';

/** Where the global provider's server stands below the address of the process. */
export const GLOBAL_SANDBOX_PATH = '/sandbox/global';
export const API_PATH = '/api/v1';

/** What the service is configured with to reach the sandbox of a process. */
export function sandboxBaseUrl(origin: string): string {
  return `${origin}${GLOBAL_SANDBOX_PATH}${API_PATH}`;
}

/**
 * An API key of the sandbox's global provider that nobody has used. Nothing has to be prepared at the server, since the
 * key names the scenario to play; with an unknown one it is refused.
 */
export function freshApiKey(scenario: string): string {
  return `${scenario}-${freshCode()}`;
}

/** The key that a request carries, in the provider's own header or as a bearer token; `null` if none. */
export function keyOf(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key']?.toString().trim();
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return own || (bearer ?? null);
}
