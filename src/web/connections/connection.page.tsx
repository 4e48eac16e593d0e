import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import { Page } from '../layout/document.js';
import { Field, type FieldErrors } from '../components/field.js';
import { Choice, Form, Submit, useIsTyped } from '../components/form.js';
import { MAX_NAME_CHARS } from '../components/name.js';
import { ConnectionState, isUnderWay } from './connection-state.js';
import type { ShownConnection } from './connection-views.js';

interface ConnectionPageProps extends ShownConnection {
  errors: FieldErrors;
  canSwitchPending: boolean;
}

export function ConnectionPage({ errors, canSwitchPending, ...state }: ConnectionPageProps) {
  const { connection, provider, sync } = state;
  return (
    <Page
      title={connection.name}
      scripts={['htmx']}
      refreshSeconds={isUnderWay(sync) ? 3 : null}
      back={{ href: '/connections', text: 'Connections' }}
      isReading
    >
      <section class="card" aria-label="State">
        <ConnectionState {...state} />
      </section>
      <Edit connection={connection} errors={errors} canSwitchPending={canSwitchPending} />
      {provider && <Reconnect connection={connection} provider={provider} errors={errors} />}
      <Remove connection={connection} provider={provider} />
    </Page>
  );
}

function Edit({
  connection,
  errors,
  canSwitchPending,
}: Pick<ConnectionPageProps, 'connection' | 'errors' | 'canSwitchPending'>) {
  return (
    <section class="card">
      <h2>{canSwitchPending ? 'Name and pending transactions' : 'Name'}</h2>
      <Form action={`/connections/${connection.id}`} class="stack">
        <Field
          name="name"
          label="Name"
          required
          maxLength={MAX_NAME_CHARS}
          value={connection.name}
          error={errors.name}
        />
        {canSwitchPending && (
          <Choice name="include_pending" checked={connection.include_pending}>
            Include pending transactions
          </Choice>
        )}
        <Submit class="second">Save</Submit>
      </Form>
    </section>
  );
}

interface ReconnectProps {
  connection: ConnectionResponse;
  provider: ProviderDescriptor;
  errors: FieldErrors;
}

function Reconnect({ connection, provider, errors }: ReconnectProps) {
  const { secret, texts } = provider;
  return (
    <section class="card" id="credential">
      <h2>Reconnect</h2>
      <p class="quiet">
        Paste a new {secret.inSentence}. Accounts and history stay.{' '}
        <a href={texts.site.href} target="_blank" rel="noreferrer">
          {texts.site.text} ↗
        </a>
      </p>
      <Form action={`/connections/${connection.id}/credential`} class="stack">
        <Field
          name="secret"
          label={`New ${secret.inSentence}`}
          required
          autocomplete="off"
          spellcheck={false}
          error={errors.secret}
        />
        <Submit class="second">Reconnect</Submit>
      </Form>
    </section>
  );
}

function Remove({ connection, provider }: Pick<ConnectionPageProps, 'connection' | 'provider'>) {
  const action = `/connections/${connection.id}/remove`;
  return (
    <details class="card" open={useIsTyped(action)}>
      <summary>Remove this connection</summary>
      <Form action={action} class="stack">
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
        <Submit class="danger">Remove {connection.name}</Submit>
      </Form>
    </details>
  );
}
