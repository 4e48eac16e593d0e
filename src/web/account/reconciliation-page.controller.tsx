import { Get, Headers, Param, Query } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { ReconciliationService } from '../../balances/reconciliation/reconciliation.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { pageOf } from '../components/pager.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { Findings, ReconciliationPage } from './reconciliation.js';

const PER_PAGE = 100;

/** Deriving the history again takes time, so an account's page loads this part after it is shown. */
@WebPage('accounts/:id/reconciliation')
export class ReconciliationPageController {
  constructor(private readonly reconciliations: ReconciliationService) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: Fields,
    @Headers('hx-request') part?: string,
  ): Promise<PageReply> {
    const read = (page: number) => this.reconciliations.readReconciliation(session, id, { page, per_page: PER_PAGE });
    const asked = await read(pageOf(textOf(query, 'page')));
    const { page, total_pages: last } = asked.pagination;
    const reconciliation = last > 0 && page > last ? await read(last) : asked;
    if (part) return <Findings reconciliation={reconciliation} />;
    return <ReconciliationPage reconciliation={reconciliation} />;
  }
}
