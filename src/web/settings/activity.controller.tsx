import { Get, Query } from '@nestjs/common';
import { AuditEventsRepository } from '../../auth/audit/audit-events.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { type FormBody, textOf } from '../components/form-body.js';
import { readPage } from '../components/pager.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ActivityPage } from './activity.page.js';

const PER_PAGE = 50;

@WebPage('settings/activity')
export class ActivityPageController {
  constructor(private readonly auditEvents: AuditEventsRepository) {}

  @Get()
  async show(@CurrentSession() { userId }: Session, @Query() query: FormBody): Promise<PageReply> {
    const { rows, page, last } = await readPage(textOf(query, 'page'), PER_PAGE, (page) =>
      this.auditEvents.listPage(userId, page),
    );
    return <ActivityPage events={rows} page={page} last={last} />;
  }
}
