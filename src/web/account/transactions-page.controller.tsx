import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { contributionsOn } from '../../balances/net-worth/net-worth-accounts.js';
import { NetWorthService } from '../../balances/net-worth/net-worth.service.js';
import { dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { basePathOf } from '../../http/public-address.js';
import { findTransactions, LIST, pageHref, TransactionList, Transactions } from './transactions.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Page } from '../layout/document.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';

const PATH = '/transactions';

/** Transactions of all accounts, for a search without knowing the account. */
@WebPage('transactions')
export class TransactionsPageController {
  constructor(
    private readonly transactions: TransactionsRepository,
    private readonly netWorth: NetWorthService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Query() query: Fields): Promise<PageReply> {
    const found = await this.#find(session, query);
    const { counted, currency } = found.filter;
    const lead = `${counted ? 'Accounts that count in your net worth' : 'All accounts'}${currency ? `, in ${currency}` : ''}`;
    return (
      <Page title="Transactions" scripts={['htmx']} back={{ href: '/', text: 'Overview' }} lead={lead}>
        <Transactions path={PATH} account={null} {...found} />
      </Page>
    );
  }

  /** Only the list, for live search. */
  @Get(LIST)
  async list(
    @CurrentSession() session: Session,
    @Query() query: Fields,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageReply> {
    const found = await this.#find(session, query);
    response.set('HX-Replace-Url', basePathOf(response) + pageHref(PATH, found.filter, found.page));
    return <TransactionList path={PATH} account={null} {...found} />;
  }

  /** Of all accounts, or of those whose balances are in the net worth of today. */
  async #find({ userId, timeZone }: Session, query: Fields) {
    if (textOf(query, 'counted') !== 'true') return findTransactions(this.transactions, userId, null, query);
    const accounts = await this.netWorth.readAccounts(userId);
    const counted = contributionsOn(accounts, dateInTimeZone(this.clock.now(), timeZone));
    const ids = counted.map(({ accountId }) => accountId);
    return findTransactions(this.transactions, userId, ids, query);
  }
}
