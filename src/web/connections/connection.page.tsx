import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { Page } from '../layout/document.js';
import { Field, type FieldErrors } from '../components/field.js';
import { choiceText } from '../components/form-fields.js';
import { Choice, FoldedForm, FormCard, Was } from '../components/form.js';
import { SecretField, SiteLink } from './provider-components.js';
import { MAX_NAME_CHARS } from '../../http/input/new-name.js';
import { ConnectionState, isUnderWay } from './connection-state.js';
import type { ShownConnection } from './connection-views.js';

interface ConnectionPageProps extends ShownConnection {
  errors: FieldErrors;
  canSwitchPending: boolean;
}

export function ConnectionPage({ errors, canSwitchPending, ...state }: ConnectionPageProps) {
  const { connection, provider, sync } = state;
  return (
    <Page title={connection.name} scripts={['htmx']} back={{ href: '/connections', text: 'Connections' }} isReading>
      <section class="card" aria-label="State">
        <ConnectionState {...state} />
        {isUnderWay(sync) && <ReloadLink id={connection.id} />}
      </section>
      <Edit connection={connection} errors={errors} canSwitchPending={canSwitchPending} />
      {provider && <Reconnect id={connection.id} provider={provider} error={errors.secret} />}
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

function Edit({
  connection,
  errors,
  canSwitchPending,
}: Pick<ConnectionPageProps, 'connection' | 'errors' | 'canSwitchPending'>) {
  const { id, name, include_pending: includesPending } = connection;
  return (
    <FormCard
      title={canSwitchPending ? 'Name and pending transactions' : 'Name'}
      action={`/connections/${id}`}
      submit="Save"
    >
      <Was fields={{ name, include_pending: choiceText(includesPending) }} />
      <Field name="name" label="Name" required maxLength={MAX_NAME_CHARS} value={name} error={errors.name} />
      {canSwitchPending && (
        <Choice name="include_pending" checked={includesPending}>
          Include pending transactions
        </Choice>
      )}
    </FormCard>
  );
}

interface ReconnectProps {
  id: string;
  provider: ProviderDescriptor;
  error: string | undefined;
}

function Reconnect({ id, provider, error }: ReconnectProps) {
  const { inSentence } = provider.secret;
  return (
    <FormCard id="credential" title="Reconnect" action={`/connections/${id}/credential`} submit="Reconnect">
      <p class="quiet">
        Paste a new {inSentence}. Accounts and history stay. <SiteLink provider={provider} />
      </p>
      <SecretField label={`New ${inSentence}`} error={error} />
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
