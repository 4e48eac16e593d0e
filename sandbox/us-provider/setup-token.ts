import { freshCode } from '../scenario-code.js';

/** Where the US provider's server stands below the address of the process. */
export const US_SANDBOX_PATH = '/sandbox/us';

/**
 * A setup token of the sandbox's US provider: the address of a claim. Nothing has to be prepared at the server, since
 * the code names the scenario to play.
 *
 * @param baseUrl address of the process without a slash at its end, `http://127.0.0.1:3000`
 * @param scenario a name of the scenario table; with an unknown one the claim is refused
 * @param code lower-case letters and digits; the same scenario and code are the same single-use token
 */
export function sandboxSetupToken(baseUrl: string, scenario: string, code: string): string {
  return Buffer.from(`${baseUrl}${US_SANDBOX_PATH}/claim/${scenario}-${code}`).toString('base64');
}

/** A setup token that nobody has used. */
export function freshSetupToken(baseUrl: string, scenario: string): string {
  return sandboxSetupToken(baseUrl, scenario, freshCode());
}
