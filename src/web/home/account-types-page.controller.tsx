import { Body, Get, Post } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { EditAccountService } from '../../balances/edit-account/edit-account.service.js';
import { ACCOUNT_TYPES } from '../../balances/engine/ledger.js';
import { accountTypeByName } from '../../providers/account-type-by-name.js';
import { TYPE_LABELS } from '../account/account-labels.js';
import { Form, Options, Submit } from '../components/form.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Money } from '../components/money.js';
import { byName } from '../components/names.js';
import { Page } from '../layout/document.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { ignoreRemoved } from '../layout/sent-twice.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';

/** The name of a field that sets the type of an account. */
const TYPE_FIELD = /^type-(.+)$/;

/** Asks for the types of all accounts that have none, each with a guess. */
@WebPage('account-types')
export class AccountTypesPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly edits: EditAccountService,
  ) {}

  @Get()
  async show(@CurrentSession() { userId }: Session): Promise<PageReply> {
    const accounts = await this.accounts.list(userId);
    return <AccountTypesPage accounts={untyped(accounts).sort(byName)} />;
  }

  @Post()
  async save(@CurrentSession() session: Session, @Body() body: Fields): Promise<PageReply> {
    for (const field of Object.keys(body ?? {})) {
      const id = TYPE_FIELD.exec(field)?.[1];
      const accountType = ACCOUNT_TYPES.find((type) => type === textOf(body, field));
      if (id && accountType) await this.edits.edit(session, id, { accountType }).catch(ignoreRemoved);
    }
    return redirectTo('/');
  }
}

/** Those that count without anybody knowing how. */
export function untyped(accounts: readonly AccountRow[]): AccountRow[] {
  return accounts.filter(({ account_type: type, closed_on: closedOn }) => type === null && closedOn === null);
}

function AccountTypesPage({ accounts }: { accounts: readonly AccountRow[] }) {
  return (
    <Page
      title="Types of accounts"
      back={{ href: '/', text: 'Overview' }}
      lead="The type decides whether an account is an asset or a debt. Until it has one, it counts as cash."
      isReading
    >
      {accounts.length === 0 ? (
        <p class="card quiet">Every account has a type.</p>
      ) : (
        <Form action="/account-types" class="stack">
          <ul class="card rows">
            {accounts.map((account) => (
              <TypeOf key={account.id} account={account} />
            ))}
          </ul>
          <Submit>Save types</Submit>
        </Form>
      )}
    </Page>
  );
}

const CHOICES = [
  { value: '', text: 'Choose' },
  ...Object.entries(TYPE_LABELS).map(([value, text]) => ({ value, text })),
];

function TypeOf({ account }: { account: AccountRow }) {
  const { id, name, institution, balance_minor: balance, currency } = account;
  return (
    <li class="line">
      <div>
        <a href={`/accounts/${id}`}>{name}</a> <span class="quiet small">{institution}</span>
        {balance !== null && currency !== null && (
          <p class="quiet small">
            <Money minor={balance} currency={currency} />
          </p>
        )}
      </div>
      <select name={`type-${id}`} aria-label={`Type of ${name}`}>
        <Options options={CHOICES} selected={guessOf(account)} />
      </select>
    </li>
  );
}

/** By its name, otherwise by its balance; empty: by neither. A debt that one may draw on is a card. */
function guessOf({ name, balance_minor: amountMinor, available_minor: availableMinor }: AccountRow): string {
  const balance = amountMinor === null ? null : { amountMinor, availableMinor, date: null };
  const named = accountTypeByName(name, balance);
  if (named !== null || !balance || amountMinor === 0) return named ?? '';
  if (balance.amountMinor > 0) return 'depository';
  return (availableMinor ?? 0) > 0 ? 'credit_card' : 'loan';
}
