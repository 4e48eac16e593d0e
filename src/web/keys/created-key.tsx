import type { Scope } from '../../auth/scopes.js';
import { CopyableSecret } from '../components/copyable-secret.js';

export interface CreatedKeyProps {
  name: string;
  apiKey: string;
  /** The origin of this service as the browser sees it. */
  origin: string;
  scopes: readonly Scope[];
}

/** Shows a key for the only time. */
export function CreatedKey({ name, apiKey, origin, scopes }: CreatedKeyProps) {
  return (
    <section class="card" role="status">
      <h2>Your key “{name}”</h2>
      <p>Copy the key now. It is shown only once.</p>
      <CopyableSecret id="new-key" text={apiKey} copy="Copy key" />
      <p class="quiet">Try it:</p>
      <CopyableSecret id="new-key-command" text={commandOf(apiKey, origin, scopes)} copy="Copy command" />
    </section>
  );
}

/** An example request that this key may make. */
function commandOf(key: string, origin: string, scopes: readonly Scope[]): string {
  const path = scopes.includes('balances:read') ? '/api/v1/balances?per_page=3' : '/api/v1/me';
  return `curl -s -H 'X-Api-Key: ${key}' '${origin}${path}'`;
}
