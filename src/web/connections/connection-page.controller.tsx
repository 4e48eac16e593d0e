import { Body, Get, Param, Post } from '@nestjs/common';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../http/idempotency/idempotency-keys.service.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { DeleteAccountService } from '../../sync/ingest/delete-account/delete-account.service.js';
import { Secret } from '../../platform/config/secret.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { EditConnectionService } from '../../sync/connect/edit-connection.service.js';
import { ConnectBankService } from '../../sync/connect/connect-bank.service.js';
import { FormId, ignoreRemoved } from '../layout/sent-twice.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { changed, type Fields, isTicked, nameErrors, textOf } from '../components/form-fields.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { Page } from '../layout/document.js';
import { ButtonForm, Choice, Field, FoldedForm, FormCard } from '../components/form.js';
import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { trySecret } from './connect-page.controller.js';
import { ConnectionViews, type ShownConnection } from './connection-views.js';
import { SecretField, SiteLink } from './problem-list.js';
import { ConnectionState, isUnderWay } from './connection-state.js';

const REMOVED = '/connections?done=removed';

@WebPage('connections/:id')
export class ConnectionPageController {
  constructor(
    private readonly views: ConnectionViews,
    private readonly connections: ConnectBankService,
    private readonly edits: EditConnectionService,
    private readonly deletions: DeleteAccountService,
    private readonly providers: ProviderRegistry,
    private readonly forms: IdempotencyKeysService,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    return this.#page(await this.views.find(session.userId, id));
  }

  @Post()
  async edit(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const shown = await this.views.find(session.userId, id);
    const name = textOf(body, 'name');
    const errors = nameErrors(name);
    if (errors.name) return refuse(this.#page(shown), errors);
    const includePending = changed(isTicked(body, 'include_pending'), shown.connection.include_pending);
    await this.edits.edit(
      { userId: session.userId, id },
      {
        name,
        ...(includePending !== undefined && this.#canSwitchPending(shown) && { includePending }),
      },
    );
    return redirectTo('/connections');
  }

  @Post('credential')
  async reconnect(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    const shown = await this.views.find(session.userId, id);
    const { provider } = shown;
    if (!provider) throw recordNotFound('provider');
    const secret = textOf(body, 'secret');
    const errors = await trySecret(secret, provider, () =>
      this.connections.replaceCredential(
        { userId: session.userId, id, provider: provider.name },
        sessionIdOf(session),
        new Secret(secret),
      ),
    );
    return errors ? refuse(this.#page(shown), errors) : redirectTo('/connections');
  }

  /** The next sync imports the account again. */
  @Post('restore')
  async restore(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    const { connection } = await this.views.find(userId, id);
    await this.deletions.restore(userId, connection.id, textOf(body, 'account')).catch(ignoreRemoved);
    return redirectTo(`/connections/${id}`);
  }

  @Post('remove')
  async remove(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Body() body: Fields,
    @FormId() formId: string,
  ): Promise<PageReply> {
    const form = { userId, formId };
    if (await this.forms.wasSent(form)) return redirectTo(REMOVED);
    await this.views.find(userId, id);
    await this.edits.remove({ userId, id }, textOf(body, 'history') === 'delete').catch(ignoreRemoved);
    await this.forms.sendOnce(form, () => Promise.resolve({}));
    return redirectTo(REMOVED);
  }

  #page(shown: ShownConnection) {
    const hasConsent = this.providers.find(shown.connection.provider)?.provider.startConsent !== undefined;
    return <ConnectionPage {...shown} canSwitchPending={this.#canSwitchPending(shown)} hasConsent={hasConsent} />;
  }

  /** For some providers the environment decides for all connections. */
  #canSwitchPending({ connection }: ShownConnection): boolean {
    return this.providers.find(connection.provider)?.provider.pendingSwitch === null;
  }
}

interface ConnectionPageProps extends ShownConnection {
  canSwitchPending: boolean;
  /** Whether access is given on a page of the bank, and not by a secret. */
  hasConsent: boolean;
}

function ConnectionPage({ canSwitchPending, hasConsent, ...state }: ConnectionPageProps) {
  const { connection, provider, sync } = state;
  return (
    <Page title={connection.name} scripts={['htmx']} back={{ href: '/connections', text: 'Connections' }} isReading>
      <section class="card" aria-label="State">
        <ConnectionState {...state} />
        {isUnderWay(sync) && <ReloadLink id={connection.id} />}
      </section>
      <Edit connection={connection} canSwitchPending={canSwitchPending} />
      {provider && <Reconnect id={connection.id} provider={provider} hasConsent={hasConsent} />}
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

function Reconnect({ id, provider, hasConsent }: { id: string; provider: ProviderDescriptor; hasConsent: boolean }) {
  const { inSentence } = provider.secret;
  if (hasConsent) {
    return (
      <section class="card stack" id="credential">
        <h2>Renew the {inSentence}</h2>
        <p class="quiet">You give it on a page of the bank and come back here. Accounts and history stay.</p>
        <ButtonForm action="/connections/new/consent" hidden={{ connection: id }} look="second">
          Continue to the bank
        </ButtonForm>
      </section>
    );
  }
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
