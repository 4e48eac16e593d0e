import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { Page } from '../layout/document.js';
import { Choice, Field, FoldedForm, FormCard } from '../components/form.js';
import { SecretField, SiteLink } from './provider-components.js';
import { MAX_NAME_CHARS } from '../../http/input/new-name.js';
import { ConnectionState, isUnderWay } from './connection-state.js';
import type { ShownConnection } from './connection-views.js';

interface ConnectionPageProps extends ShownConnection {
  canSwitchPending: boolean;
}

export function ConnectionPage({ canSwitchPending, ...state }: ConnectionPageProps) {
  const { connection, provider, sync } = state;
  return (
    <Page title={connection.name} scripts={['htmx']} back={{ href: '/connections', text: 'Connections' }} isReading>
      <section class="card" aria-label="State">
        <ConnectionState {...state} />
        {isUnderWay(sync) && <ReloadLink id={connection.id} />}
      </section>
      <Edit connection={connection} canSwitchPending={canSwitchPending} />
      {provider && <Reconnect id={connection.id} provider={provider} />}
      <Remove connection={connection} provider={provider} />
    </Page>
  );
}

/** Without scripts. A page that reloads itself would lose what is being typed below. */
function ReloadLink({ id }: { id: string }) {
  return (
    <noscript>
      <p>
        <a href={`/connections/${id}`}>Reload</a> to see how far it is.
      </p>
    </noscript>
  );
}

function Edit({ connection, canSwitchPending }: Pick<ConnectionPageProps, 'connection' | 'canSwitchPending'>) {
  const { id, name, include_pending: includesPending } = connection;
  return (
    <FormCard
      title={canSwitchPending ? 'Name and pending transactions' : 'Name'}
      action={`/connections/${id}`}
      submit="Save"
    >
      <Field name="name" label="Name" required maxLength={MAX_NAME_CHARS} value={name} />
      {canSwitchPending && (
        <Choice name="include_pending" checked={includesPending}>
          Include pending transactions
        </Choice>
      )}
    </FormCard>
  );
}

function Reconnect({ id, provider }: { id: string; provider: ProviderDescriptor }) {
  const { inSentence } = provider.secret;
  return (
    <FormCard id="credential" title="Reconnect" action={`/connections/${id}/credential`} submit="Reconnect">
      <p class="quiet">
        Paste a new {inSentence}. Accounts and history stay. <SiteLink provider={provider} />
      </p>
      <SecretField label={`New ${inSentence}`} />
    </FormCard>
  );
}

function Remove({ connection: { id, name }, provider }: Pick<ConnectionPageProps, 'connection' | 'provider'>) {
  return (
    <FoldedForm
      class="card"
      title="Remove this connection"
      action={`/connections/${id}/remove`}
      submit={`Remove ${name}`}
      look="danger"
    >
      <p class="quiet" id="remove">
        The stored credentials are deleted at once. To end the access itself, also disable it at{' '}
        {provider?.texts.name ?? 'the provider'}.
      </p>
      <fieldset>
        <legend>Its accounts and their history</legend>
        <Choice type="radio" name="history" value="keep" checked>
          Keep them without syncing
        </Choice>
        <Choice type="radio" name="history" value="delete" checked={false}>
          Delete them too
        </Choice>
      </fieldset>
    </FoldedForm>
  );
}
