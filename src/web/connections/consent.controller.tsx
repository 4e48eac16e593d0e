import { randomBytes } from 'node:crypto';
import { Body, Get, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../http/idempotency/idempotency-keys.service.js';
import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { isUuid } from '../../http/input/validators.js';
import { publicAddress } from '../../http/public-address.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { Secret } from '../../platform/config/secret.js';
import { credentialOwner, CredentialVault } from '../../platform/vault/credential-vault.js';
import { withAbortScope } from '../../platform/time/abort-scope.js';
import { ProviderError, ProviderInputError } from '../../providers/provider-error.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { ConnectBankService } from '../../sync/connect/connect-bank.service.js';
import { ConnectionOverviewQueries } from '../../sync/overview/connection-overview.queries.js';
import { type Fields, isTicked, textOf } from '../components/form-fields.js';
import { Page } from '../layout/document.js';
import { PageProblemError, type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { historyDaysOf, trySecret } from './connect-page.controller.js';

const START_DEADLINE_MS = 20_000;
const STATE = /^[0-9a-f]{32}$/;

/** What was begun, kept sealed for an hour and taken once. */
interface BegunConsent {
  sessionId: string;
  provider: string;
  /** The connection whose consent is renewed; `null`: a new one. */
  connectionId: string | null;
  name: string;
  includePending: boolean;
  historyDays: number;
  /** Of the provider. */
  kept: string;
}

/** Sends a person to give a consent, and connects the bank when they come back. */
@WebPage('connections')
export class ConsentController {
  constructor(
    private readonly connections: ConnectBankService,
    private readonly providers: ProviderRegistry,
    private readonly overview: ConnectionOverviewQueries,
    private readonly vault: CredentialVault,
    private readonly forms: IdempotencyKeysService,
  ) {}

  /** The answer is a page with a link, because browsers let no form lead to another site. */
  @Post('new/consent')
  async start(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    const { userId } = session;
    const connection = textOf(body, 'connection');
    const renewed = isUuid(connection) ? await this.overview.get(userId, connection) : null;
    if (connection !== '' && !renewed) throw recordNotFound('connection');
    const installed = this.providers.find(renewed?.provider ?? textOf(body, 'provider'));
    const { descriptor, provider } = installed ?? {};
    if (!descriptor || !provider?.startConsent) throw recordNotFound('provider');
    const state = randomBytes(16).toString('hex');
    const home = publicAddress(request);
    const wanted = {
      state,
      returnTo: `${home}/connections/return`,
      pushTo: `${home}/pushes/${descriptor.name}`,
      institutionId: textOf(body, 'institution') || null,
      renews: renewed?.credential ? this.vault.open(renewed.credential, credentialOwner(renewed)) : null,
    };
    const { address, kept } = await withAbortScope({ signals: [], timeoutMs: START_DEADLINE_MS }, (signal) =>
      provider.startConsent!({ ...wanted, signal }),
    ).catch(toldOnPage);
    const begun: BegunConsent = {
      sessionId: sessionIdOf(session),
      provider: descriptor.name,
      connectionId: renewed?.id ?? null,
      name: textOf(body, 'name').slice(0, MAX_NAME_CHARS),
      includePending: isTicked(body, 'include_pending'),
      historyDays: historyDaysOf(textOf(body, 'history_days')),
      kept,
    };
    await this.forms.sendOnce({ userId, formId: state }, () => Promise.resolve(begun));
    return <ConsentPage address={address} />;
  }

  @Get('return')
  async finish(@CurrentSession() session: Session, @Query() query: Fields): Promise<PageReply> {
    const { userId } = session;
    const caller = sessionIdOf(session);
    const { state = '', ...returned } = Object.fromEntries(
      Object.entries(query ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
    const begun = STATE.test(state) ? await this.forms.takeResult<BegunConsent>({ userId, formId: state }) : null;
    const descriptor = begun && this.providers.find(begun.provider)?.descriptor;
    if (!descriptor || begun.sessionId !== caller) throw unknownConsent();
    const { provider, connectionId, name, includePending, historyDays, kept } = begun;
    const text = JSON.stringify({ kept, returned });
    const pasted = new Secret(text);
    const errors = await trySecret(text, descriptor, async () =>
      connectionId === null
        ? this.connections.connect({
            userId,
            caller,
            provider,
            name: name || null,
            pasted,
            includePending,
            historyDays,
          })
        : this.connections.replaceCredential({ userId, id: connectionId, provider }, caller, pasted),
    );
    if (errors) throw new PageProblemError(422, 'The bank is not connected', errors.secret!, TO_CONNECTIONS);
    return redirectTo('/connections');
  }
}

const TO_CONNECTIONS = { href: '/connections', text: 'Go to the connections' };

function unknownConsent(): PageProblemError {
  const text = 'It was begun in another session, is finished already, or took more than an hour. Begin again.';
  return new PageProblemError(410, 'This consent cannot be finished', text, TO_CONNECTIONS);
}

function toldOnPage(error: unknown): never {
  const isTold = error instanceof ProviderError || error instanceof ProviderInputError;
  if (!isTold) throw error;
  throw new PageProblemError(502, 'The consent could not be begun', error.message, TO_CONNECTIONS);
}

function ConsentPage({ address }: { address: string }) {
  const { host, protocol } = new URL(address);
  if (!['https:', 'http:'].includes(protocol)) throw new Error('a consent is given on a page of the web');
  return (
    <Page title="Give your consent" back={{ href: '/connections', text: 'Connections' }} isReading>
      <section class="card stack">
        <p>
          You give it at {host} and come back here by yourself, within an hour and in this browser. Tidemark gets to
          read balances, transactions and holdings.
        </p>
        <p>
          <a class="button" href={address} rel="noreferrer">
            Continue to {host}
          </a>
        </p>
      </section>
    </Page>
  );
}
