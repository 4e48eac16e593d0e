import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../platform/domain-error.js';
import { isUuid } from '../../http/input/validators.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import type { Session } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../http/idempotency/idempotency-keys.service.js';
import { Clock } from '../../platform/time/clock.js';
import { FormId, takeShown } from '../layout/sent-twice.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { confirmPassword } from '../components/password-refusal.js';
import type { Scope } from '../../auth/scopes.js';
import { Page } from '../layout/document.js';
import { usePageContext } from '../components/page-context.js';
import { CopyableSecret, Once, type ShownOnce } from '../components/shown-once.js';
import { accountIdsOf, CreateKey, expiresAt, type NamedAccount, readKeyForm, scopesOf } from './create-key.js';
import { KeyTable, OVERLAPS, type ShownKey } from './key-table.js';

@WebPage('keys')
export class KeysPageController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly accounts: AccountsRepository,
    private readonly forms: IdempotencyKeysService,
    private readonly confirmation: PasswordConfirmationService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Query() query: Fields, @Req() request: Request): Promise<PageReply> {
    const created = await takeShown<MadeKey>(this.forms, session, query?.created, request);
    return <KeysPage {...await this.#list(session)} created={created} />;
  }

  @Post()
  async create(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    const list = await this.#list(session);
    const { form, errors } = readKeyForm(
      body,
      list.accounts.map(({ id }) => id),
    );
    const refusal = await confirmPassword(this.confirmation, session, body, request);
    if (refusal) errors.confirm_password = refusal.message;
    if (Object.keys(errors).length > 0) {
      return refuse(<KeysPage {...list} created={null} />, errors, refusal?.status);
    }
    const { name } = form;
    const accountIds = accountIdsOf(form);
    const wanted = { name, scopes: scopesOf(form), accountIds, expiresAt: expiresAt(form, this.clock.now()) };
    await this.forms.sendOnce({ userId: session.userId, formId }, async (): Promise<MadeKey> => {
      const { key } = await this.apiKeys.create(session.userId, wanted);
      return { name, apiKey: key, scopes: wanted.scopes };
    });
    return redirectTo(`/keys?created=${formId}`);
  }

  @Post(':id/rotate')
  async rotate(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    const { userId } = session;
    const refusal = await confirmPassword(this.confirmation, session, body, request);
    if (refusal) {
      const page = <KeysPage {...await this.#list(session)} created={null} />;
      return refuse(page, { confirm_password: refusal.message }, refusal.status);
    }
    if (!isUuid(id)) return redirectTo('/keys');
    const wanted = OVERLAPS.find(({ value }) => value === textOf(body, 'overlap')) ?? OVERLAPS[0]!;
    await this.forms.sendOnce({ userId, formId }, async (): Promise<MadeKey> => {
      const rotated = await this.apiKeys.rotate({ id, userId, overlapHours: Number(wanted.value) });
      if (!rotated) throw new DomainError('conflict', 'This key has expired or was revoked.');
      const { name, scopes } = rotated.apiKey;
      return { name, apiKey: rotated.key, scopes };
    });
    return redirectTo(`/keys?created=${formId}`);
  }

  @Post(':id/revoke')
  async revoke(@CurrentSession() { userId }: Session, @Param('id') id: string): Promise<PageReply> {
    if (isUuid(id)) await this.apiKeys.revoke(id, userId);
    return redirectTo('/keys');
  }

  async #list({ userId }: Session) {
    const [keys, accounts] = await Promise.all([this.apiKeys.list(userId), this.accounts.list(userId)]);
    return { keys, accounts, now: this.clock.now() };
  }
}

interface KeysPageProps {
  keys: readonly ShownKey[];
  accounts: readonly NamedAccount[];
  /** The key that the form created, shown once. */
  created: ShownOnce<MadeKey>;
  now: Date;
}

function KeysPage({ keys, accounts, created, now }: KeysPageProps) {
  return (
    <Page
      title="API keys"
      lead={
        <>
          For your own programs. Accounts, balances, transactions and connections are available in the API: see{' '}
          <a href="/docs">its documentation</a>.
        </>
      }
      isReading
    >
      <Once made={created} again="A key is shown only once. If you did not copy it, revoke it and create another.">
        {(key) => <CreatedKey {...key} />}
      </Once>
      {keys.length > 0 && <KeyTable keys={keys} accounts={accounts} now={now} />}
      <CreateKey accounts={accounts} open={keys.length === 0} />
    </Page>
  );
}

/** What a form has made, until its page shows it. */
interface MadeKey {
  name: string;
  apiKey: string;
  scopes: readonly Scope[];
}

function CreatedKey({ name, apiKey, scopes }: MadeKey) {
  const { origin } = usePageContext();
  // A request that this key may make.
  const path = scopes.includes('balances:read') ? '/api/v1/balances?per_page=3' : '/api/v1/me';
  const command = `curl -s -H 'X-Api-Key: ${apiKey}' '${origin}${path}'`;
  return (
    <section class="card" role="status">
      <h2>Your key “{name}”</h2>
      <p>Copy the key now. It is shown only once.</p>
      <CopyableSecret id="new-key" text={apiKey} copy="Copy key" />
      <p class="quiet">Try it:</p>
      <CopyableSecret id="new-key-command" text={command} copy="Copy command" />
    </section>
  );
}
