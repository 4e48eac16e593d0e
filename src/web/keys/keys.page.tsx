import type { Scope } from '../../auth/scopes.js';
import { Page } from '../layout/document.js';
import { usePageContext } from '../components/page-context.js';
import { CopyableSecret, Once, type ShownOnce } from '../components/shown-once.js';
import { CreateKey, type NamedAccount } from './create-key.js';
import { KeyTable, type ShownKey } from './key-table.js';

interface KeysPageProps {
  keys: readonly ShownKey[];
  accounts: readonly NamedAccount[];
  /** The key that the form created, shown once. */
  created: ShownOnce<MadeKey>;
  now: Date;
}

export function KeysPage({ keys, accounts, created, now }: KeysPageProps) {
  return (
    <Page
      title="API keys"
      lead={
        <>
          For your own programs. Accounts, balances, transactions and connections are available in the API: see{' '}
          <a href="/docs">its documentation</a>.
        </>
      }
      isReading
    >
      <Once made={created} again="A key is shown only once. If you did not copy it, revoke it and create another.">
        {(key) => <CreatedKey {...key} />}
      </Once>
      {keys.length > 0 && <KeyTable keys={keys} accounts={accounts} now={now} />}
      <CreateKey accounts={accounts} open={keys.length === 0} />
    </Page>
  );
}

/** What a form has made, until its page shows it. */
export interface MadeKey {
  name: string;
  apiKey: string;
  scopes: readonly Scope[];
}

function CreatedKey({ name, apiKey, scopes }: MadeKey) {
  const { origin } = usePageContext();
  // A request that this key may make.
  const path = scopes.includes('balances:read') ? '/api/v1/balances?per_page=3' : '/api/v1/me';
  const command = `curl -s -H 'X-Api-Key: ${apiKey}' '${origin}${path}'`;
  return (
    <section class="card" role="status">
      <h2>Your key “{name}”</h2>
      <p>Copy the key now. It is shown only once.</p>
      <CopyableSecret id="new-key" text={apiKey} copy="Copy key" />
      <p class="quiet">Try it:</p>
      <CopyableSecret id="new-key-command" text={command} copy="Copy command" />
    </section>
  );
}
