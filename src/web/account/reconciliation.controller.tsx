import { Get, Headers, Param } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { ReconciliationService } from '../../balances/reconciliation/reconciliation.service.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession } from '../layout/page-session.js';
import { WebPage } from '../layout/web-page.decorator.js';
import { Findings, ReconciliationPage } from './reconciliation.js';

const NEWEST = { page: 1, per_page: 100 };

/** Deriving the history again takes time, so an account's page loads this part after it is shown. */
@WebPage('accounts/:id/reconciliation')
export class ReconciliationPageController {
  constructor(private readonly reconciliations: ReconciliationService) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Headers('hx-request') part?: string,
  ): Promise<PageReply> {
    const reconciliation = await this.reconciliations.of(session, id, NEWEST);
    if (part) return <Findings reconciliation={reconciliation} timeZone={session.timeZone} />;
    return <ReconciliationPage reconciliation={reconciliation} timeZone={session.timeZone} />;
  }
}
