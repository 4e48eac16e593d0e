import { Get, Param, Query } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { AccountSeriesRepository } from '../../balances/record/account-series.repository.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
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
}
