import { Get, Query } from '@nestjs/common';
import { AuditEventsRepository } from '../../auth/audit/audit-events.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Pager, readPage } from '../components/pager.js';
import { Page } from '../layout/document.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ActivityList } from './activity.js';

const PER_PAGE = 50;

@WebPage('settings/activity')
export class ActivityPageController {
  constructor(private readonly auditEvents: AuditEventsRepository) {}

  @Get()
  async show(@CurrentSession() { userId }: Session, @Query() query: Fields): Promise<PageReply> {
    const { rows, page, last } = await readPage(textOf(query, 'page'), PER_PAGE, (page) =>
      this.auditEvents.listPage(userId, page),
    );
    return (
      <Page
        title="Activity"
        back={{ href: '/settings', text: 'Settings' }}
        lead={
          <>
            Sign-ins and changes to keys, credentials and data. In the API: <code>/api/v1/audit_events</code>.
          </>
        }
        isReading
      >
        <section class="card">
          <ActivityList events={rows} />
          <Pager label="Pages of activity" page={page} last={last} href={(page) => `/settings/activity?page=${page}`} />
        </section>
      </Page>
    );
  }
}
