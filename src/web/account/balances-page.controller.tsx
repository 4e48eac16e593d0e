import { Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { type Session, sessionIdOf } from '../../auth/sessions.service.js';
import { AccountSeriesRepository } from '../../balances/record/account-series.repository.js';
import { BALANCE_EXPORT } from '../../balances/record/balance-record.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { ExportsService } from '../../http/export/exports.service.js';
import { csvPieces } from '../../http/export/record-export.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { readPage } from '../components/pager.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { BalancesPage } from './balances.page.js';

const PER_PAGE = 100;

/** The daily balances of an account as figures. */
@WebPage('accounts/:id')
export class BalancesPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly balances: BalancesRepository,
    private readonly series: AccountSeriesRepository,
    private readonly exports: ExportsService,
  ) {}

  @Get('balances')
  async show(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Query() query: Fields,
  ): Promise<PageReply> {
    const account = await this.accounts.get(userId, id);
    const [shown, uncertain] = await Promise.all([
      readPage(textOf(query, 'page'), PER_PAGE, (page) =>
        this.balances.listPage(userId, { account_id: [id], ...page }),
      ),
      this.series.uncertainDays(userId, id),
    ]);
    return <BalancesPage account={account} uncertain={uncertain} {...shown} />;
  }

  @Get('balances.csv')
  async csv(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { userId } = session;
    await this.accounts.get(userId, id);
    const owner = { userId, secretId: sessionIdOf(session) };
    const text = csvPieces(BALANCE_EXPORT, this.balances.readAll(userId, { account_id: [id], page: 1, per_page: 1 }));
    const file = { name: 'balances.csv', type: 'text/csv; charset=utf-8; header=present' };
    return this.exports.stream(response, owner, text, file);
  }
}
