import { Body, Get, Param, Post } from '@nestjs/common';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../idempotency/idempotency-keys.service.js';
import { ProviderRegistry } from '../../bank-provider/provider-registry.js';
import { DeleteAccountService } from '../../ingest/delete-account/delete-account.service.js';
import { Secret } from '../../config/secret.js';
import { recordNotFound } from '../../errors/domain-error.js';
import { EditConnectionService } from '../../sync/connect/edit-connection.service.js';
import { ConnectBankService } from '../../sync/connect/connect-bank.service.js';
import { FormId, ignoreRemoved } from '../layout/sent-twice.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { changed, type Fields, isTicked, nameErrors, textOf } from '../components/form-fields.js';
import { trySecret } from './connect-form.js';
import { ConnectionPage } from './connection.page.js';
import { ConnectionViews, type ShownConnection } from './connection-views.js';

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
    return <ConnectionPage {...shown} canSwitchPending={this.#canSwitchPending(shown)} />;
  }

  /** For some providers the environment decides for all connections. */
  #canSwitchPending({ connection }: ShownConnection): boolean {
    return this.providers.find(connection.provider)?.provider.pendingSwitch === null;
  }
}
