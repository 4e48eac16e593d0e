import { Get, Query } from '@nestjs/common';
import { AuditEventsRepository } from '../../auth/audit/audit-events.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession } from '../layout/page-session.js';
import { WebPage } from '../layout/web-page.decorator.js';
import { ActivityPage } from './activity.page.js';

const PER_PAGE = 50;

@WebPage('settings/activity')
export class ActivityPageController {
  constructor(private readonly auditEvents: AuditEventsRepository) {}

  @Get()
  async show(@CurrentSession() { userId, timeZone }: Session, @Query('page') wanted: unknown): Promise<PageReply> {
    const read = (page: number) => this.auditEvents.listPage(userId, { page, per_page: PER_PAGE });
    const asked = typeof wanted === 'string' && /^[1-9]\d{0,5}$/.test(wanted) ? Number(wanted) : 1;
    const first = await read(asked);
    const pageCount = Math.max(Math.ceil(first.totalCount / PER_PAGE), 1);
    const page = Math.min(asked, pageCount);
    const { rows: events } = page === asked ? first : await read(page);
    return <ActivityPage events={events} timeZone={timeZone} page={page} pageCount={pageCount} />;
  }
}
