import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { Page } from '../layout/document.js';
import { DEFAULT_HISTORY_DAYS } from '../../connections/connection.entity.js';
import { ButtonForm, Choice, Field, Form, SelectField, Submit } from '../components/form.js';
import { usePageContext } from '../components/page-context.js';
import { MAX_NAME_CHARS } from '../../http/input/new-name.js';
import { SecretField, SiteLink } from './provider-components.js';
import { HISTORY_CHOICES } from './connect-form.js';

/** A provider, and the operator's choice about its pending transactions; `null`: the person decides. */
type OfferedProvider = ProviderDescriptor & { pendingSwitch: boolean | null };

interface ConnectPageProps {
  /** The installed providers. */
  providers: readonly OfferedProvider[];
  sandboxBanks: readonly SandboxBank[];
}

/** A provider that can be tried with invented banks. */
interface SandboxBank {
  provider: string;
  name: string;
  /** Works once, like a real one. */
  secret: string;
}

export function ConnectPage({ providers, sandboxBanks }: ConnectPageProps) {
  const current = usePageContext().refused?.fields.get('provider') ?? providers[0]?.name;
  return (
    <Page title="Connect a bank" back={{ href: '/connections', text: 'Connections' }} isReading>
      {sandboxBanks.length > 0 && <Sandbox banks={sandboxBanks} />}
      {providers.map((provider) => (
        <details key={provider.name} class="card" open={provider.name === current}>
          <summary>
            {provider.texts.title} <span class="quiet small">{provider.texts.reach}</span>
          </summary>
          <ProviderForm provider={provider} />
        </details>
      ))}
    </Page>
  );
}

function ProviderForm({ provider }: { provider: OfferedProvider }) {
  const { name, secret, texts, defaultConnectionName, pendingSwitch } = provider;
  return (
    <>
      <ol class="how">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <SiteLink provider={provider} />
      </p>
      <Form action="/connections/new" class="stack" hidden={{ provider: name }}>
        <SecretField id={`${name}-secret`} label={secret.label} />
        <Field
          id={`${name}-name`}
          name="name"
          label="Name"
          hint={`Optional. Default: “${defaultConnectionName}”.`}
          maxLength={MAX_NAME_CHARS}
        />
        <SelectField
          id={`${name}-history`}
          name="history_days"
          label="History"
          hint="How far back to request transactions. Most banks provide 90 days to two years."
          selected={String(DEFAULT_HISTORY_DAYS)}
          options={HISTORY_CHOICES}
        />
        <PendingChoice name={texts.name} decided={pendingSwitch} />
        <p class="hint">
          Tidemark reads balances, transactions and holdings. It cannot move money, and you can remove the connection
          with all its data.
        </p>
        <Submit>Connect</Submit>
      </Form>
    </>
  );
}

/** @param decided by the operator; `null`: the person decides */
function PendingChoice({ name, decided }: { name: string; decided: boolean | null }) {
  if (decided !== null) {
    return (
      <p class="hint">
        Pending transactions are {decided ? 'included' : 'left out'}. The operator of this server decides this for{' '}
        {name}.
      </p>
    );
  }
  return (
    <Choice name="include_pending" checked>
      Include pending transactions
    </Choice>
  );
}

function Sandbox({ banks }: { banks: readonly SandboxBank[] }) {
  return (
    <section class="card" id="sandbox">
      <h2>Try it with sandbox banks</h2>
      <p class="quiet">Fictional households whose accounts change every day. You can remove them at any time.</p>
      <div class="actions">
        {banks.map(({ provider, name, secret }) => (
          <ButtonForm
            key={provider}
            action="/connections/new"
            hidden={{ provider, name, secret, include_pending: 'on' }}
            look="second"
          >
            {name}
          </ButtonForm>
        ))}
      </div>
    </section>
  );
}
