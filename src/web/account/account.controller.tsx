import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { AccountRow } from '../../accounts/account.response.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { HoldingsRepository } from '../../accounts/holdings/holdings.repository.js';
import { TransactionsRepository } from '../../accounts/transactions/transactions.repository.js';
import { isUuid } from '../../http/input/validators.js';
import type { Session } from '../../auth/sessions.service.js';
import { ACCOUNT_TYPES } from '../../balance-engine/ledger.js';
import { CannotEnd, EditAccountService } from '../../balances/edit-account/edit-account.service.js';
import { AccountSeriesRepository } from '../../balances/record/account-series.repository.js';
import { BalanceVersionsRepository } from '../../balances/record/balance-versions.repository.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { DeleteAccountService } from '../../ingest/delete-account/delete-account.service.js';
import { dateInTimeZone, isCalendarDate } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { pageNotFound, type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ignoreRemoved } from '../layout/sent-twice.js';
import type { FieldErrors } from '../components/field.js';
import { type FormBody, textOf } from '../components/form-body.js';
import { nameErrors } from '../components/name.js';
import { dayText } from '../components/when.js';
import { firstDayOf, rangeOf } from '../components/range.js';
import { AccountPage } from './account.page.js';
import { chartViewOf, levelOn } from './chart-views.js';
import { DayRecord } from './day-record.js';
import { restatementOf } from './restated.js';
import { findTransactions, pageHref } from './transaction-filter.js';
import { TransactionList } from './transactions.js';

/** The most valuable ones. */
const HOLDINGS = { page: 1, per_page: 200 };

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
    private readonly deletions: DeleteAccountService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Param('id') id: string, @Query() query: FormBody) {
    return this.#page(session, await this.#find(session, id), query, {});
  }

  /** Only the list, for live search. */
  @Get('transactions')
  async list(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: FormBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    const account = await this.#find(session, id);
    const found = await this.#transactions(session, id, query);
    const path = `/accounts/${id}`;
    // The address follows the search, so that it survives a reload and can be bookmarked.
    response.set('HX-Replace-Url', pageHref(path, found.filter, found.page));
    return <TransactionList path={path} account={account} {...found} />;
  }

  /** Only one day's record, for the pointer on the chart. */
  @Get('day')
  async day(@CurrentSession() session: Session, @Param('id') id: string, @Query() query: FormBody): Promise<PageReply> {
    const shown = await this.#record(session, await this.#find(session, id), query);
    const rest = `view=${chartViewOf(textOf(query, 'view'))}&range=${rangeOf(textOf(query, 'range'), 'all').name}`;
    const { day, record, restatement, silentSince, uncertain } = shown;
    return (
      <DayRecord
        row={record}
        level={levelOn(uncertain, day)}
        silentSince={silentSince}
        restatement={restatement}
        day={day}
        accountId={id}
        rest={rest}
      />
    );
  }

  @Post()
  async edit(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: FormBody): Promise<PageReply> {
    const account = await this.#find(session, id);
    const name = textOf(body, 'name');
    const errors = nameErrors(name);
    if (errors.name) return { page: await this.#page(session, account, undefined, errors), status: 422 };
    const type = ACCOUNT_TYPES.find((known) => known === textOf(body, 'account_type'));
    await this.edits.edit(session, id, {
      name: name === account.name ? undefined : name,
      accountType: type === account.account_type ? undefined : type,
    });
    return redirectTo(`/accounts/${id}`);
  }

  @Post('life')
  async decide(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    const account = await this.#find(session, id);
    const closedOn = textOf(body, 'closed_on') || null;
    const refuse = async (message: string) => {
      return { page: await this.#page(session, account, undefined, { closed_on: message }), status: 422 };
    };
    if (closedOn !== null && !isCalendarDate(closedOn)) return refuse('Enter a date.');
    try {
      await this.edits.edit(session, id, {
        closedOn: closedOn === account.closed_on ? undefined : closedOn,
        includeInNetWorth: textOf(body, 'include_in_net_worth') === 'on',
        hidden: textOf(body, 'hidden') === 'on',
      });
    } catch (error) {
      if (!(error instanceof CannotEnd)) throw error;
      return refuse(
        error.firstDay ? `The history begins on ${dayText(error.firstDay)}.` : 'This day is in the future.',
      );
    }
    return redirectTo(`/accounts/${id}`);
  }

  /** The connection says what became of the account; the overview, where there is none, or the form was sent twice. */
  @Post('delete')
  async delete(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    const account = isUuid(id) ? await this.accounts.findById(session.userId, id) : null;
    if (!account) return redirectTo('/');
    const { connection_id: connectionId } = account;
    await this.deletions.delete(session.userId, id).catch(ignoreRemoved);
    return redirectTo(connectionId === null ? '/' : `/connections/${connectionId}`);
  }

  async #find({ userId }: Session, id: string): Promise<AccountRow> {
    const account = isUuid(id) ? await this.accounts.findById(userId, id) : null;
    if (!account) throw pageNotFound();
    return account;
  }

  async #page(session: Session, account: AccountRow, query: FormBody, errors: FieldErrors) {
    const { userId, timeZone } = session;
    const { id } = account;
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const range = rangeOf(textOf(query, 'range'), 'all');
    const [series, dayShown, holdings, transactions] = await Promise.all([
      this.series.find(userId, id, firstDayOf(range, today)),
      this.#record(session, account, query),
      this.holdings.listPage(userId, { ...HOLDINGS, account_id: [id] }),
      this.#transactions(session, id, query),
    ]);
    const view = chartViewOf(textOf(query, 'view'));
    return (
      <AccountPage
        account={account}
        series={series}
        view={view}
        range={range}
        holdings={holdings}
        transactions={transactions}
        errors={errors}
        today={today}
        {...dayShown}
      />
    );
  }

  /** The requested day, or the newest one with a change, and what is not certain of any day. */
  async #record({ userId, timeZone }: Session, { id }: AccountRow, query: FormBody) {
    const asked = textOf(query, 'day');
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const day = isCalendarDate(asked) ? asked : ((await this.series.lastMovement(userId, id)) ?? today);
    const ofDay = { account_id: [id], start_date: day, end_date: day, page: 1, per_page: 1 };
    const [{ rows }, uncertain] = await Promise.all([
      this.balances.listPage(userId, ofDay),
      this.series.uncertainDays(userId, id),
    ]);
    const record = rows[0] ?? null;
    const versions = record ? await this.versions.listOfDay(userId, id, day) : [];
    // Only what no transaction moves may have moved while nothing was reported.
    const drifted = record && (record.net_market_flows || record.cash_adjustments || record.non_cash_adjustments);
    const silentSince = drifted ? await this.series.silentSince(userId, id, day) : null;
    const restatement = record && restatementOf(record, versions, timeZone);
    return { day, record, restatement, silentSince, uncertain };
  }

  async #transactions({ userId }: Session, id: string, query: FormBody) {
    return findTransactions(this.transactions, userId, id, query);
  }
}
