import type { AuditEventRow } from '../../auth/audit/audit-event.response.js';
import { Pager } from '../components/pager.js';
import { Page } from '../layout/document.js';
import { ActivityList } from './activity.js';

interface ActivityPageProps {
  events: readonly AuditEventRow[];
  page: number;
  last: number;
}

export function ActivityPage({ events, page, last }: ActivityPageProps) {
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
        <ActivityList events={events} />
        <Pager label="Pages of activity" page={page} last={last} href={(page) => `/settings/activity?page=${page}`} />
      </section>
    </Page>
  );
}
