import { Body, Get, Headers, Param, Post, Query } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import type { AccountType } from '../../balances/engine/ledger.js';
import { FIRST_DAY } from '../../balances/own-knowledge/change-facts.service.js';
import { movesByValues, owesOnly, StatementsService } from '../../balances/own-knowledge/statements.service.js';
import type { StatementRow } from '../../balances/own-knowledge/statement.response.js';
import { currencyCode } from '../../platform/money/currency.js';
import { type CalendarDate, dateInTimeZone, isCalendarDate } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { amountError, amountOf, type Fields, textOf } from '../components/form-fields.js';
import type { FieldErrors } from '../components/page-context.js';
import { Pager, readPage } from '../components/table.js';
import { Page } from '../layout/document.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { ignoreRemoved } from '../layout/sent-twice.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { StatementForm, StatementList } from './statements.js';

const PER_PAGE = 50;
/** On the page of the account. */
const SHOWN = 5;

/** What a person and files state of an account's balances, and what an account by hand is worth. */
@WebPage('accounts/:id/statements')
export class StatementsPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly statements: StatementsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: Fields,
    @Headers('hx-request') part?: string,
  ): Promise<PageReply> {
    const account = await this.accounts.get(session.userId, id);
    if (!part) return this.#page(session, account, query);
    const { rows, totalCount } = await this.statements.listByDay(session, id, { page: 1, per_page: SHOWN });
    return <StatementList account={account} rows={rows} more={totalCount - rows.length} />;
  }

  @Post()
  async state(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const account = await this.accounts.get(session.userId, id);
    const { numberFormat } = session.preferences;
    const date = textOf(body, 'date');
    const currency = currencyCode(account.currency) ?? '';
    const minor = amountOf(body, 'balance', currency, numberFormat);
    const errors = {
      ...dayError(date, this.#today(session)),
      ...(minor === null && { balance: amountError(currency, numberFormat) }),
      ...(isOwn(account) && worthError('balance', account.account_type, minor)),
    };
    if (minor === null || Object.keys(errors).length > 0) {
      return refuse(await this.#page(session, account, undefined), errors);
    }
    if (isOwn(account)) await this.statements.setValue(session, id, date, () => minor);
    else await this.statements.state(session, id, date, () => minor);
    return redirectTo(`/accounts/${id}/statements`);
  }

  @Post(':statement_id/remove')
  async remove(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Param('statement_id') statementId: string,
  ): Promise<PageReply> {
    await this.statements.remove(session, id, statementId).catch(ignoreRemoved);
    return redirectTo(`/accounts/${id}/statements`);
  }

  @Post(':statement_id/prevails')
  async prefer(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Param('statement_id') statementId: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    await this.statements.setPrevails(session, id, statementId, textOf(body, 'prevails') === 'true');
    return redirectTo(`/accounts/${id}/statements`);
  }

  #today({ timeZone }: Session): CalendarDate {
    return dateInTimeZone(this.clock.now(), timeZone);
  }

  async #page(session: Session, account: AccountRow, query: Fields) {
    const read = (page: { page: number; per_page: number }) => this.statements.listByDay(session, account.id, page);
    const { rows, page, last } = await readPage(textOf(query, 'page'), PER_PAGE, read);
    return <StatementsPage account={account} rows={rows} page={page} last={last} today={this.#today(session)} />;
  }
}

/** The error of a field with what an account by hand is worth. */
export function worthError(field: string, type: AccountType | null, minor: number | null): FieldErrors {
  if (minor === null || minor >= 0) return {};
  if (owesOnly(type)) return { [field]: 'A debt is a positive amount: what is owed.' };
  return movesByValues(type) ? { [field]: 'Enter 0 or more.' } : {};
}

/** The error of a field with a day that has been. */
export function dayError(date: string, today: CalendarDate): FieldErrors {
  if (!isCalendarDate(date)) return { date: 'Enter a date.' };
  if (date > today) return { date: 'Choose today or an earlier day.' };
  return date < FIRST_DAY ? { date: 'Choose a day from 1970 on.' } : {};
}

interface StatementsPageProps {
  account: AccountRow;
  rows: readonly StatementRow[];
  page: number;
  last: number;
  today: CalendarDate;
}

function StatementsPage({ account, rows, page, last, today }: StatementsPageProps) {
  const { id, name } = account;
  const heading = isOwn(account) ? 'Values' : 'Statements';
  return (
    <Page
      title={`${heading} of ${name}`}
      heading={heading}
      lead={
        isOwn(account)
          ? 'What it is worth, each from its day until the next.'
          : 'What documents say of the end of a day. Days between balances that agree are known; a difference is shown as one.'
      }
      back={{ href: `/accounts/${id}`, text: name }}
      isReading
    >
      {currencyCode(account.currency) && (
        <section class="card" aria-label={isOwn(account) ? 'Value on a day' : 'State a balance'}>
          <StatementForm account={account} today={today} />
        </section>
      )}
      <section class="card" aria-label={heading}>
        <StatementList account={account} rows={rows} />
        <Pager
          label={`Pages of ${heading.toLowerCase()}`}
          page={page}
          last={last}
          href={(number) => `/accounts/${id}/statements?page=${number}`}
        />
      </section>
    </Page>
  );
}
