import { defaultName } from '../../sync/connections/default-name.js';
import { Document } from '../frame/document.js';
import { Field, type FieldErrors } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { MAX_NAME_CHARS } from '../parts/name.js';
import type { ConnectForm } from './connect-form.js';
import { PROVIDER_WORDS, type ProviderWords } from './provider-words.js';

interface ConnectPageProps {
  /** Which providers this Tidemark has. */
  providers: readonly string[];
  /** What was sent, if it was refused. */
  form: ConnectForm | null;
  errors: FieldErrors;
  /** Those of them that can be tried with pretend banks. */
  pretended: readonly string[];
}

export function ConnectPage({ providers, form, errors, pretended }: ConnectPageProps) {
  const shown = PROVIDER_WORDS.filter(({ name }) => providers.includes(name));
  const current = form?.provider ?? shown[0]?.name;
  return (
    <Document title="Connect a bank">
      <a class="back" href="/connections">
        ← Connections
      </a>
      <h1>Connect a bank</h1>
      <div class="reading stack">
        {pretended.length > 0 && <Sandbox providers={shown.filter(({ name }) => pretended.includes(name))} />}
        {shown.map((words) => (
          <details key={words.name} class="card" open={words.name === current}>
            <summary>
              {words.title} <span class="quiet small">{words.reach}</span>
            </summary>
            <ProviderForm words={words} form={form?.provider === words.name ? form : null} errors={errors} />
          </details>
        ))}
      </div>
    </Document>
  );
}

function ProviderForm({
  words,
  form,
  errors,
}: {
  words: ProviderWords;
  form: ConnectForm | null;
  errors: FieldErrors;
}) {
  return (
    <>
      <ol class="how">
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href={words.site.href} target="_blank" rel="noreferrer">
          {words.site.text} ↗
        </a>
      </p>
      <Form action="/connections/new" class="stack">
        <input type="hidden" name="provider" value={words.name} />
        <Field
          id={`${words.name}-secret`}
          name="secret"
          label={words.secret.label}
          required
          autocomplete="off"
          spellcheck={false}
          error={form ? errors.secret : undefined}
        />
        <Field
          id={`${words.name}-name`}
          name="name"
          label="Name"
          hint={`What you want to call it; “${defaultName(words.name)}” if you leave it empty.`}
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

function Sandbox({ providers }: { providers: readonly ProviderWords[] }) {
  return (
    <section class="card" id="sandbox">
      <h2>Try it with pretend banks</h2>
      <p class="quiet">
        This Tidemark runs with its sandbox: invented households whose accounts live on from day to day. You can remove
        them at any time.
      </p>
      <div class="actions">
        {providers.map(({ name, title }) => (
          <Form key={name} action="/connections/sandbox">
            <input type="hidden" name="provider" value={name} />
            <button type="submit" class="second">
              Pretend {title.replace('Banks', 'banks')}
            </button>
          </Form>
        ))}
      </div>
    </section>
  );
}
