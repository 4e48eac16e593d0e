import { Body, Get, Inject, Optional, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { DemoCredentials } from '../../providers/demo-credentials.js';
import { MAX_SECRET_CHARS, type ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { Secret } from '../../platform/config/secret.js';
import { DomainError, recordNotFound } from '../../platform/domain-error.js';
import { ConnectBankService } from '../../sync/connect/connect-bank.service.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type Fields, isTicked, textOf } from '../components/form-fields.js';
import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { Page } from '../layout/document.js';
import { DEFAULT_HISTORY_DAYS, MAX_HISTORY_DAYS } from '../../sync/connections/connection.entity.js';
import { ButtonForm, Choice, Field, Form, SelectField, Submit } from '../components/form.js';
import { type FieldErrors, usePageContext } from '../components/page-context.js';
import { ProviderError, ProviderInputError } from '../../providers/provider-error.js';
import { InstitutionsService } from '../../sync/connect/institutions.controller.js';
import { FoundInstitutions, InstitutionSearch, type Search } from './institution-search.js';
import { SecretField, SiteLink } from './problem-list.js';

@WebPage('connections')
export class ConnectPageController {
  constructor(
    private readonly connections: ConnectBankService,
    private readonly providers: ProviderRegistry,
    private readonly institutions: InstitutionsService,
    @Optional() @Inject(DemoCredentials) private readonly demo: DemoCredentials | null,
  ) {}

  @Get('new')
  async show(@Req() request: Request, @Query() query: Fields): Promise<PageReply> {
    const provider = textOf(query, 'provider');
    if (!this.providers.find(provider)?.provider.searchInstitutions) return this.#page(request);
    const [country, text] = [textOf(query, 'country').toUpperCase(), textOf(query, 'search')];
    const found = COUNTRY.test(country)
      ? await this.institutions.search(provider, { country, text }).catch(asProblem)
      : 'Enter the country as two letters, such as DE.';
    return this.#page(request, { provider, country, text, found });
  }

  @Post('new')
  async connect(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    const provider = this.#providerIn(body);
    const name = textOf(body, 'name').slice(0, MAX_NAME_CHARS);
    const secret = textOf(body, 'secret');
    const errors = await trySecret(secret, provider, () =>
      this.connections.connect({
        userId: session.userId,
        caller: sessionIdOf(session),
        provider: provider.name,
        name: name || null,
        pasted: new Secret(secret),
        includePending: isTicked(body, 'include_pending'),
        historyDays: historyDaysOf(textOf(body, 'history_days')),
      }),
    );
    return errors ? refuse(this.#page(request), errors) : redirectTo('/connections');
  }

  /** @throws DomainError `record_not_found` when it is not installed */
  #providerIn(body: Fields): ProviderDescriptor {
    const installed = this.providers.find(textOf(body, 'provider'));
    if (!installed) throw recordNotFound('provider');
    return installed.descriptor;
  }

  #page({ socket }: Request, search: Search | null = null) {
    const providers = this.providers.all.map(({ descriptor, provider }) => ({
      ...descriptor,
      pendingSwitch: provider.pendingSwitch,
      hasConsent: provider.startConsent !== undefined,
      hasSearch: provider.searchInstitutions !== undefined,
    }));
    // This process serves the sandbox, so the address is not the one that the browser uses.
    const here = `http://127.0.0.1:${socket.localPort}`;
    const sandboxBanks = providers
      .filter(({ name }) => this.demo?.providers.includes(name))
      .map(({ name, texts }) => ({
        provider: name,
        name: `Sandbox: ${texts.title}`,
        secret: this.demo!.create(name, here),
      }));
    return <ConnectPage providers={providers} sandboxBanks={sandboxBanks} search={search} />;
  }
}

/** ISO 3166. */
const COUNTRY = /^[A-Z]{2}$/;

function asProblem(error: unknown): string {
  if (error instanceof ProviderError) return error.message;
  throw error;
}

/** A provider, and the operator's choice about its pending transactions; `null`: the person decides. */
type OfferedProvider = ProviderDescriptor & { pendingSwitch: boolean | null; hasConsent: boolean; hasSearch: boolean };

interface ConnectPageProps {
  /** The installed providers. */
  providers: readonly OfferedProvider[];
  sandboxBanks: readonly SandboxBank[];
  search: Search | null;
}

/** A provider that can be tried with invented banks. */
interface SandboxBank {
  provider: string;
  name: string;
  /** Works once, like a real one. */
  secret: string;
}

function ConnectPage({ providers, sandboxBanks, search }: ConnectPageProps) {
  const current = usePageContext().refused?.fields.get('provider') ?? search?.provider ?? providers[0]?.name;
  return (
    <Page title="Connect a bank" back={{ href: '/connections', text: 'Connections' }} isReading>
      {sandboxBanks.length > 0 && <Sandbox banks={sandboxBanks} />}
      {providers.map((provider) => (
        <details key={provider.name} class="card" open={provider.name === current}>
          <summary>
            {provider.texts.title} <span class="quiet small">{provider.texts.reach}</span>
          </summary>
          <ProviderForm provider={provider} search={search?.provider === provider.name ? search : null} />
        </details>
      ))}
    </Page>
  );
}

function ProviderForm({ provider, search }: { provider: OfferedProvider; search: Search | null }) {
  const { name, secret, texts, defaultConnectionName, pendingSwitch, hasConsent, hasSearch } = provider;
  const isChosen = !hasSearch || (Array.isArray(search?.found) && search.found.length > 0);
  return (
    <>
      <ol class="quiet">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <SiteLink provider={provider} />
      </p>
      {hasSearch && <InstitutionSearch provider={name} search={search} />}
      {isChosen && (
        <Form
          action={hasConsent ? '/connections/new/consent' : '/connections/new'}
          class="stack"
          hidden={{ provider: name }}
        >
          {hasConsent ? (
            <FoundInstitutions search={search} />
          ) : (
            <SecretField id={`${name}-secret`} label={secret.label} />
          )}
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
          <Submit>{hasConsent ? 'Continue to the bank' : 'Connect'}</Submit>
        </Form>
      )}
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

/** How far back a person may ask for; most banks have less. */
const HISTORY_CHOICES = [
  { value: '90', text: '90 days' },
  { value: '365', text: '1 year' },
  { value: String(DEFAULT_HISTORY_DAYS), text: '2 years' },
  { value: '1826', text: '5 years' },
  { value: String(MAX_HISTORY_DAYS), text: '10 years' },
];

/** The default for a value that the form does not offer. */
export function historyDaysOf(text: string): number {
  return Number(HISTORY_CHOICES.find(({ value }) => value === text)?.value ?? DEFAULT_HISTORY_DAYS);
}

/**
 * Runs `work` with a pasted secret.
 *
 * @returns the error of the secret's field; `null` when it succeeded
 * @throws errors that neither the secret nor the provider caused
 */
export async function trySecret(
  secret: string,
  provider: ProviderDescriptor,
  work: () => Promise<unknown>,
): Promise<FieldErrors | null> {
  const text = provider.secret.inSentence;
  if (secret === '') return { secret: `Paste the ${text} here.` };
  if (secret.length > MAX_SECRET_CHARS) return { secret: `This is too long for one ${text}.` };
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ProviderInputError) return { secret: `The ${text} ${error.message}.` };
    const known = error instanceof ProviderError || (error instanceof DomainError && error.code === 'conflict');
    if (known) return { secret: error.message };
    throw error;
  }
}
