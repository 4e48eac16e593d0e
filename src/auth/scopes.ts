import { EXIT_CONFIG, StartupError } from '../platform/config/startup-error.js';
import type { Part, Scope } from '../platform/module.js';

export type { Scope } from '../platform/module.js';

/** What an API key may be allowed to do, as `resource:action`, by name: the scopes of all parts, once they are declared. */
export const SCOPES: Scope[] = [];

const ACCOUNT_SCOPES = new Set<Scope>();

const FORM = /^[a-z][a-z_]*:(?:read|write)$/;

/**
 * Adds the scopes of these parts. Those that are known are known already.
 *
 * @throws StartupError for a name of another form
 */
export function declareScopes(parts: readonly Part[]): void {
  for (const { name, scopes = {}, accountScopes = [] } of parts) {
    for (const scope of Object.keys(scopes) as Scope[]) {
      if (!FORM.test(scope)) {
        throw new StartupError(
          `The scope ${scope} of ${name} must be named like goals:read or goals:write.`,
          EXIT_CONFIG,
        );
      }
      if (!SCOPES.includes(scope)) SCOPES.push(scope);
    }
    for (const scope of accountScopes) ACCOUNT_SCOPES.add(scope);
  }
  SCOPES.sort();
}

/** Whether the scope concerns records of accounts only: a key that is limited to accounts may have it. */
export function isAccountScope(scope: Scope): boolean {
  return ACCOUNT_SCOPES.has(scope);
}

/** Whether a key with the scope may change something. */
export function isWriteScope(scope: Scope): boolean {
  return scope.endsWith(':write');
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Metadata key under which {@link RequireScope} stores the scope of a route. */
export const REQUIRED_SCOPE = 'tidemark:scope';
