import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { Document } from '../layout/document.js';
import { Field, type FieldErrors } from '../components/field.js';
import { Form } from '../components/form.js';
import { MAX_NAME_CHARS } from '../components/name.js';
import type { ConnectForm } from './connect-form.js';

interface ConnectPageProps {
  /** Which providers this Tidemark has. */
  providers: readonly ProviderDescriptor[];
  /** What was sent, if it was refused. */
  form: ConnectForm | null;
  errors: FieldErrors;
  /** Names of those that can be tried with pretend banks. */
  pretended: readonly string[];
}

export function ConnectPage({ providers, form, errors, pretended }: ConnectPageProps) {
  const current = form?.provider ?? providers[0];
  return (
    <Document title="Connect a bank">
      <a class="back" href="/connections">
        ← Connections
      </a>
      <h1>Connect a bank</h1>
      <div class="reading stack">
        {pretended.length > 0 && <Sandbox providers={providers.filter(({ name }) => pretended.includes(name))} />}
        {providers.map((provider) => (
          <details key={provider.name} class="card" open={provider === current}>
            <summary>
              {provider.texts.title} <span class="quiet small">{provider.texts.reach}</span>
            </summary>
            <ProviderForm provider={provider} form={form?.provider === provider ? form : null} errors={errors} />
          </details>
        ))}
      </div>
    </Document>
  );
}

interface ProviderFormProps {
  provider: ProviderDescriptor;
  form: ConnectForm | null;
  errors: FieldErrors;
}

function ProviderForm({ provider, form, errors }: ProviderFormProps) {
  const { name, secret, texts, defaultConnectionName } = provider;
  return (
    <>
      <ol class="how">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={texts.site.href} target="_blank" rel="noreferrer">
          {texts.site.text} ↗
        </a>
      </p>
      <Form action="/connections/new" class="stack">
        <input type="hidden" name="provider" value={name} />
        <Field
          id={`${name}-secret`}
          name="secret"
          label={secret.label}
          required
          autocomplete="off"
          spellcheck={false}
          error={form ? errors.secret : undefined}
        />
        <Field
          id={`${name}-name`}
          name="name"
          label="Name"
          hint={`A name of your choice. Default: “${defaultConnectionName}”.`}
          maxLength={MAX_NAME_CHARS}
          value={form?.name}
        />
        <div>
          <button type="submit">Connect</button>
        </div>
      </Form>
    </>
  );
}

function Sandbox({ providers }: { providers: readonly ProviderDescriptor[] }) {
  return (
    <section class="card" id="sandbox">
      <h2>Try it with sandbox banks</h2>
      <p class="quiet">
        This Tidemark runs with its sandbox: invented households whose accounts change every day. You can remove them at
        any time.
      </p>
      <div class="actions">
        {providers.map(({ name, texts }) => (
          <Form key={name} action="/connections/sandbox">
            <input type="hidden" name="provider" value={name} />
            <button type="submit" class="second">
              Sandbox: {texts.title}
            </button>
          </Form>
        ))}
      </div>
    </section>
  );
}
