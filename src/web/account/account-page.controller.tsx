import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { HoldingsRepository } from '../../balances/holdings/holdings.repository.js';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import { isUuid } from '../../http/input/validators.js';
import type { Session } from '../../auth/sessions.service.js';
import { ACCOUNT_TYPES } from '../../balances/engine/ledger.js';
import { CannotEndError, EditAccountService } from '../../balances/edit-account/edit-account.service.js';
import { MAX_DESCRIPTION_CHARS, MAX_NOTE_CHARS } from '../../balances/own-knowledge/corrections.controller.js';
import { CorrectionsService } from '../../balances/own-knowledge/corrections.service.js';
import { StatementsService } from '../../balances/own-knowledge/statements.service.js';
import { AccountSeriesRepository } from '../../balances/record/account-series.repository.js';
import { BalanceVersionsRepository } from '../../balances/record/balance-versions.repository.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { DeleteAccountService } from '../../sync/ingest/delete-account/delete-account.service.js';
import { type CalendarDate, dateInTimeZone, isCalendarDate } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ignoreRemoved } from '../layout/sent-twice.js';
import {
  amountError,
  amountOf,
  changed,
  type Fields,
  isTicked,
  nameErrors,
  rawTextOf,
  textOf,
} from '../components/form-fields.js';
import { checkPassword } from '../components/password-refusal.js';
import { dayText } from '../components/when.js';
import { rangeOf } from '../components/range.js';
import { dayError } from './statements-page.controller.js';
import { isReportedOn } from './account-labels.js';
import { AccountPage } from './account.page.js';
import { DayRecord, restatementOf, type ShownDay } from './day-record.js';
import { basePathOf } from '../../http/public-address.js';
import { findTransactions, pageHref, TransactionList } from './transactions.js';

/** The most valuable ones. */
const HOLDINGS = { page: 1, per_page: 200 };
/** The newest ones. */
const MAX_VALUE_DAYS = 500;

@WebPage('accounts/:id')
export class AccountPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly holdings: HoldingsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly series: AccountSeriesRepository,
    private readonly balances: BalancesRepository,
    private readonly versions: BalanceVersionsRepository,
    private readonly edits: EditAccountService,
    private readonly corrections: CorrectionsService,
    private readonly statements: StatementsService,
    private readonly deletions: DeleteAccountService,
    private readonly confirmation: PasswordConfirmationService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Param('id') id: string, @Query() query: Fields) {
    return this.#page(session, await this.accounts.get(session.userId, id), query);
  }

  /** Only the list, for live search. */
  @Get('transactions')
  async list(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: Fields,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    const account = await this.accounts.get(session.userId, id);
    const found = await findTransactions(this.transactions, session.userId, [id], query);
    const path = `/accounts/${id}`;
    // The address follows the search, so that it survives a reload and can be bookmarked.
    response.set('HX-Replace-Url', basePathOf(response) + pageHref(path, found.filter, found.page));
    return <TransactionList path={path} account={account} {...found} />;
  }

  /** Only one day's record, for the pointer on the chart. */
  @Get('day')
  async day(@CurrentSession() session: Session, @Param('id') id: string, @Query() query: Fields): Promise<PageReply> {
    const shown = await this.#day(session, await this.accounts.get(session.userId, id), query);
    const range = rangeOf(query, this.#today(session), 'all');
    return <DayRecord {...shown} accountId={id} rest={range.query} />;
  }

  @Post()
  async edit(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const account = await this.accounts.get(session.userId, id);
    const name = textOf(body, 'name');
    const errors = nameErrors(name);
    if (errors.name) return refuse(await this.#page(session, account, undefined), errors);
    const accountType = ACCOUNT_TYPES.find((known) => known === textOf(body, 'account_type'));
    await this.edits.edit(session, id, {
      name: changed(name, account.name),
      accountType: changed(accountType, account.account_type ?? undefined),
    });
    return redirectTo(`/accounts/${id}`);
  }

  @Post('life')
  async decide(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const account = await this.accounts.get(session.userId, id);
    const closedOn = textOf(body, 'closed_on') || null;
    const refuseDay = async (message: string) => {
      return refuse(await this.#page(session, account, undefined), { closed_on: message });
    };
    if (closedOn && !isCalendarDate(closedOn)) return refuseDay('Enter a date.');
    try {
      await this.edits.edit(session, id, {
        closedOn: changed(closedOn, account.closed_on),
        includeInNetWorth: isTicked(body, 'include_in_net_worth'),
        hidden: isTicked(body, 'hidden'),
      });
    } catch (error) {
      if (!(error instanceof CannotEndError)) throw error;
      return refuseDay(
        error.firstDay
          ? `Choose ${dayText(error.firstDay)} or a later day: the history begins then.`
          : 'Choose today or an earlier day.',
      );
    }
    return redirectTo(`/accounts/${id}`);
  }

  @Post('add-transaction')
  async add(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const account = await this.accounts.get(session.userId, id);
    const { numberFormat } = session.preferences;
    const currency = account.currency ?? '';
    const [date, description, note] = [textOf(body, 'date'), textOf(body, 'description'), textOf(body, 'note')];
    const minor = amountOf(body, 'amount', currency, numberFormat);
    const errors = {
      ...dayError(date, this.#today(session)),
      ...(minor === null && { amount: amountError(currency, numberFormat) }),
      ...((description === '' || description.length > MAX_DESCRIPTION_CHARS) && {
        description: `Enter a description of at most ${MAX_DESCRIPTION_CHARS} characters.`,
      }),
      ...(note.length > MAX_NOTE_CHARS && { note: `Enter at most ${MAX_NOTE_CHARS} characters.` }),
    };
    if (minor === null || Object.keys(errors).length > 0)
      return refuse(await this.#page(session, account, undefined), errors);
    const row = { date, amount: () => minor, description, merchant: null, note: note || null };
    await this.corrections.add(session, id, row);
    return redirectTo(`/accounts/${id}#transactions`);
  }

  /** Leads to the connection, which lists deleted accounts; to the overview without one, and when sent twice. */
  @Post('delete')
  async delete(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() body: Fields,
    @Req() request: Request,
  ): Promise<PageReply> {
    const account = isUuid(id) ? await this.accounts.findById(session.userId, id) : null;
    if (!account) return redirectTo('/');
    const refusal = await checkPassword(this.confirmation, session, rawTextOf(body, 'delete_password'), request);
    if (refusal) {
      const page = await this.#page(session, account, undefined);
      return refuse(page, { delete_password: refusal.message }, refusal.status);
    }
    const { connection_id: connectionId } = account;
    await this.deletions.delete(session.userId, id).catch(ignoreRemoved);
    return redirectTo(connectionId === null ? '/' : `/connections/${connectionId}`);
  }

  async #page(session: Session, account: AccountRow, query: Fields) {
    const { userId } = session;
    const { id } = account;
    const today = this.#today(session);
    const range = rangeOf(query, today, 'all');
    const [series, shownDay, holdings, transactions, candidates, valueDays] = await Promise.all([
      this.series.findSeries(userId, id, range.first, range.name === null ? range.last : null),
      this.#day(session, account, query),
      this.holdings.listPage(userId, { ...HOLDINGS, account_id: [id] }),
      findTransactions(this.transactions, userId, [id], query),
      isOwn(account) ? this.#listedIn(userId, account.currency) : [],
      isOwn(account) ? this.statements.listDays(userId, id, MAX_VALUE_DAYS) : null,
    ]);
    return (
      <AccountPage
        account={account}
        series={series}
        range={range}
        holdings={holdings}
        transactions={transactions}
        candidates={candidates}
        valueDays={valueDays}
        today={today}
        {...shownDay}
      />
    );
  }

  #today({ timeZone }: Session): CalendarDate {
    return dateInTimeZone(this.clock.now(), timeZone);
  }

  async #listedIn(userId: string, currency: string | null): Promise<AccountRow[]> {
    const all = await this.accounts.list(userId);
    return all.filter((one) => one.connection_id !== null && one.status === 'active' && one.currency === currency);
  }

  /** The requested day, by default the newest one with a change; and which days are uncertain. */
  async #day(session: Session, account: AccountRow, query: Fields): Promise<ShownDay> {
    const { userId, timeZone } = session;
    const { id } = account;
    const asked = textOf(query, 'day');
    const day = isCalendarDate(asked) ? asked : ((await this.series.lastMovement(userId, id)) ?? this.#today(session));
    const ofDay = { account_id: [id], start_date: day, end_date: day, page: 1, per_page: 1 };
    const [{ rows }, uncertain, [valuedOn = null]] = await Promise.all([
      this.balances.listPage(userId, ofDay),
      this.series.uncertainDays(userId, id),
      isOwn(account) ? this.statements.listDays(userId, id, 1, day) : [],
    ]);
    const record = rows[0] ?? null;
    const versions = record ? await this.versions.listOfDay(userId, id, day) : [];
    // Without a transaction, the day of a change is not known: it came at any time since the last report.
    const drifted = record && (record.net_market_flows || record.cash_adjustments || record.non_cash_adjustments);
    const silentSince = drifted && !isOwn(account) ? await this.series.silentSince(userId, id, day) : null;
    const restatement = record && restatementOf(record, versions, timeZone);
    const pending = isReportedOn(account, day) ? await this.transactions.pendingTotals(userId, [id]) : null;
    return { day, record, restatement, silentSince, uncertain, pending, isByHand: isOwn(account), valuedOn };
  }
}
