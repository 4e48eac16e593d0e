/** What an API key may be allowed to do, as `resource:action`. */
export const SCOPES = [
  'balances:read',
  'accounts:read',
  'accounts:write',
  'transactions:read',
  'holdings:read',
  'connections:read',
  'connections:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Whether the scope concerns records of accounts only: a key that is limited to accounts may have it. */
export function isAccountScope(scope: Scope): boolean {
  return /^(balances|accounts|transactions|holdings):/.test(scope);
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
