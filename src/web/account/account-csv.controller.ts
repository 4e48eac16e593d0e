import { Get, Param, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { QueryResultRow } from 'pg';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { TRANSACTION_EXPORT } from '../../balances/transactions/transaction.response.js';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { BALANCE_EXPORT } from '../../balances/record/balance.response.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { ExportsService } from '../../http/export/exports.service.js';
import { CSV_CONTENT_TYPE } from '../../http/export/media-type.guard.js';
import { csvPieces, type Exportable } from '../../http/export/record-export.service.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';

const WHOLE_LIST = { page: 1, per_page: 1 };

/** What is stored of an account, as files. */
@WebPage('accounts/:id')
export class AccountCsvController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly balances: BalancesRepository,
    private readonly transactions: TransactionsRepository,
    private readonly exports: ExportsService,
  ) {}

  @Get('balances.csv')
  async ofBalances(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    await this.accounts.get(session.userId, id);
    const rows = this.balances.readAll(session.userId, { account_id: [id], ...WHOLE_LIST });
    return this.#stream(session, response, BALANCE_EXPORT, rows);
  }

  @Get('transactions.csv')
  async ofTransactions(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    await this.accounts.get(session.userId, id);
    const rows = this.transactions.readAll(session.userId, { account_id: [id], ...WHOLE_LIST });
    return this.#stream(session, response, TRANSACTION_EXPORT, rows);
  }

  #stream<Row extends QueryResultRow>(
    session: Session,
    response: Response,
    list: Exportable<Row>,
    rows: AsyncIterable<Row[]>,
  ): Promise<StreamableFile> {
    const owner = { userId: session.userId, secretId: sessionIdOf(session) };
    const file = { name: `${list.name}.csv`, type: CSV_CONTENT_TYPE };
    return this.exports.stream(response, owner, csvPieces(list, rows), file);
  }
}
