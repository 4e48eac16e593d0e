import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { basePathOf } from '../../http/public-address.js';
import { findTransactions, LIST, pageHref, TransactionList, Transactions } from './transactions.js';
import type { Fields } from '../components/form-fields.js';
import { Page } from '../layout/document.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';

const PATH = '/transactions';

/** Transactions of all accounts, for a search without knowing the account. */
@WebPage('transactions')
export class TransactionsPageController {
  constructor(private readonly transactions: TransactionsRepository) {}

  @Get()
  async show(@CurrentSession() session: Session, @Query() query: Fields): Promise<PageReply> {
    return (
      <Page title="Transactions" scripts={['htmx']} back={{ href: '/', text: 'Overview' }} lead="All accounts">
        <Transactions path={PATH} account={null} {...await this.#find(session, query)} />
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

  #find({ userId }: Session, query: Fields) {
    return findTransactions(this.transactions, userId, null, query);
  }
}
