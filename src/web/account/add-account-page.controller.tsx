import { Body, Get, Post } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { MAX_ACCOUNTS_OF_PERSON } from '../../balances/accounts/account.entity.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { ACCOUNT_TYPES } from '../../balances/engine/ledger.js';
import { OwnAccountsService } from '../../balances/own-knowledge/own-accounts.service.js';
import { MAX_NAME_CHARS } from '../../http/input/given.js';
import { DomainError } from '../../platform/domain-error.js';
import { currencyCode } from '../../platform/money/currency.js';
import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { amountError, amountOf, type Fields, isTicked, nameErrors, textOf } from '../components/form-fields.js';
import { Choice, Field, Form, SelectField, Submit } from '../components/form.js';
import type { FieldErrors } from '../components/page-context.js';
import { Page } from '../layout/document.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { TYPE_LABELS } from './account-labels.js';
import { dayError, worthError } from './statements-page.controller.js';

/** Adds an account that no bank lists. */
@WebPage('accounts/new')
export class AddAccountPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly ownAccounts: OwnAccountsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@CurrentSession() session: Session): Promise<PageReply> {
    return this.#page(session);
  }

  @Post()
  async add(@CurrentSession() session: Session, @Body() body: Fields): Promise<PageReply> {
    const { numberFormat } = session.preferences;
    const name = textOf(body, 'name');
    const accountType = ACCOUNT_TYPES.find((type) => type === textOf(body, 'account_type'));
    const currency = currencyCode(textOf(body, 'currency'));
    const date = textOf(body, 'date') || null;
    const minor = currency === null ? null : amountOf(body, 'value', currency, numberFormat);
    const isValued = textOf(body, 'value') !== '';
    const errors: FieldErrors = {
      ...nameErrors(name),
      ...(!accountType && { account_type: 'Choose what it is.' }),
      ...(!currency && { currency: 'Enter a currency code such as USD or EUR.' }),
      ...(currency && isValued && minor === null && { value: amountError(currency, numberFormat) }),
      ...(accountType && worthError('value', accountType, minor)),
      ...(date && dayError(date, this.#today(session))),
    };
    if (!accountType || !currency || Object.keys(errors).length > 0) return refuse(await this.#page(session), errors);
    const value = minor === null ? null : { date, amountIn: () => minor };
    const includeInNetWorth = isTicked(body, 'include_in_net_worth');
    try {
      const id = await this.ownAccounts.add(session, { name, accountType, currency, includeInNetWorth, value });
      return redirectTo(`/accounts/${id}`);
    } catch (error) {
      // Everything else was looked at before.
      if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error;
      return refuse(await this.#page(session), {
        name: `You have ${MAX_ACCOUNTS_OF_PERSON} accounts, which is the limit.`,
      });
    }
  }

  #today({ timeZone }: Session): CalendarDate {
    return dateInTimeZone(this.clock.now(), timeZone);
  }

  async #page(session: Session) {
    const currencies = (await this.accounts.list(session.userId)).map(({ currency }) => currencyCode(currency));
    const counts = Map.groupBy(
      currencies.filter((code) => code !== null),
      (code) => code,
    );
    const [usual] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0] ?? [''];
    return <AddAccountPage currency={usual} today={this.#today(session)} />;
  }
}

const CHOOSE = { value: '', text: 'Choose' };
const TYPES = Object.entries(TYPE_LABELS).map(([value, text]) => ({ value, text }));

/** @param currency the person's usual one */
function AddAccountPage({ currency, today }: { currency: string; today: CalendarDate }) {
  return (
    <Page
      title="Add an account by hand"
      lead="A house, a car, a pension, cash: what no bank lists. It is worth what you say, from a day on."
      back={{ href: '/connections', text: 'Connections' }}
      isReading
    >
      <section class="card">
        <Form action="/accounts/new" class="stack">
          <Field name="name" label="Name" required maxLength={MAX_NAME_CHARS} autofocus />
          <SelectField name="account_type" label="Type" required selected="" options={[CHOOSE, ...TYPES]} />
          <Field name="currency" label="Currency" required maxLength={3} value={currency} hint="Such as USD or EUR." />
          <Field
            name="value"
            label="Value"
            hint="Of a debt, what is owed, as a positive amount. You can enter it later, too."
          />
          <Field name="date" label="Value on" type="date" max={today} value={today} />
          <Choice name="include_in_net_worth" checked>
            Include in net worth
          </Choice>
          <Submit>Add account</Submit>
        </Form>
      </section>
    </Page>
  );
}
