import { Body, Get, Inject, Optional, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { DemoCredentials } from '../../bank-provider/demo-credentials.js';
import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { ProviderRegistry } from '../../bank-provider/provider-registry.js';
import { Secret } from '../../config/secret.js';
import { recordNotFound } from '../../errors/domain-error.js';
import { ConnectBankService } from '../../sync/connect/connect-bank.service.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type Fields, isTicked, textOf } from '../components/form-fields.js';
import { MAX_NAME_CHARS } from '../../http/input/new-name.js';
import { historyDaysOf, trySecret } from './connect-form.js';
import { ConnectPage } from './connect.page.js';

@WebPage('connections')
export class ConnectPageController {
  constructor(
    private readonly connections: ConnectBankService,
    private readonly providers: ProviderRegistry,
    @Optional() @Inject(DemoCredentials) private readonly demo: DemoCredentials | null,
  ) {}

  @Get('new')
  show(@Req() request: Request): PageReply {
    return this.#page(request);
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

  #page({ socket }: Request) {
    const providers = this.providers.all.map(({ descriptor, provider }) => ({
      ...descriptor,
      pendingSwitch: provider.pendingSwitch,
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
    return <ConnectPage providers={providers} sandboxBanks={sandboxBanks} />;
  }
}
