import type { AuditEventRow } from '../../auth/audit/audit-event.response.js';
import { Pager } from '../components/pager.js';
import { Document } from '../layout/document.js';
import { BackLink } from '../components/back-link.js';
import { ActivityList } from './activity.js';

interface ActivityPageProps {
  events: readonly AuditEventRow[];
  page: number;
  last: number;
}

export function ActivityPage({ events, page, last }: ActivityPageProps) {
  return (
    <Document title="Activity">
      <BackLink href="/settings">Settings</BackLink>
      <div class="page-head">
        <div>
          <h1>Activity</h1>
          <p class="quiet">
            Sign-ins and changes to keys, credentials and data. In the API: <code>/api/v1/audit_events</code>.
          </p>
        </div>
      </div>
      <div class="reading stack">
        <section class="card">
          <ActivityList events={events} />
          <Pager label="Pages of activity" page={page} last={last} href={(page) => `/settings/activity?page=${page}`} />
        </section>
      </div>
    </Document>
  );
}
