import { Get, Query } from '@nestjs/common';
import { AuditEventsRepository } from '../../auth/audit/audit-events.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Pager, readPage } from '../components/table.js';
import type { AuditText } from '../../platform/module.js';
import { Page } from '../layout/document.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { AUDIT_TEXTS_OF_MODULES, type AuditEventKind, type CoreAuditEventKind } from '../../auth/audit/audit-event.js';
import { type AuditEventRow, toAuditEventResponse } from '../../auth/audit/audit-event.response.js';
import { Moment } from '../components/when.js';

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

const TEXTS: Record<CoreAuditEventKind, string> = {
  signed_up: 'Signed up',
  signed_in: 'Signed in',
  sign_in_failed: 'Failed sign-in',
  signed_out: 'Signed out',
  sessions_ended: 'Other sessions ended',
  password_check_failed: 'Wrong password entered',
  password_changed: 'Password changed',
  password_reset: 'Password set by the operator',
  second_factor_enabled: 'Second factor turned on',
  second_factor_failed: 'Wrong code entered',
  second_factor_removed: 'Second factor turned off',
  second_factor_reset: 'Second factor turned off by the operator',
  recovery_codes_created: 'Recovery codes created',
  recovery_code_used: 'Recovery code used',
  api_key_created: 'API key created',
  api_key_rotated: 'API key rotated',
  api_key_revoked: 'API key revoked',
  invitation_created: 'Invitation created',
  invitation_revoked: 'Invitation revoked',
  invitation_used: 'Invitation used',
  connection_created: 'Connection created',
  credential_replaced: 'Credential replaced',
  connection_removed: 'Connection removed',
  accounts_deleted: 'Accounts deleted',
  accounts_merged: 'Accounts merged',
  data_exported: 'Data exported',
};

const ALARMS: Partial<Record<CoreAuditEventKind, string>> = {
  sign_in_failed: 'Was this you?',
  password_check_failed: 'Was this you?',
  second_factor_failed: 'Was this you?',
};

function textOfKind(kind: AuditEventKind): AuditText {
  const [text, alarm] = [TEXTS[kind as CoreAuditEventKind], ALARMS[kind as CoreAuditEventKind]];
  // Of a module that was taken out, only the kind is left.
  return AUDIT_TEXTS_OF_MODULES.get(kind) ?? { text: text ?? kind.replaceAll('_', ' '), ...(alarm && { alarm }) };
}

interface ActivityProps {
  events: readonly AuditEventRow[];
}

/** Recent actions, and where they came from. */
export function Activity({ events }: ActivityProps) {
  return (
    <section class="card" id="activity">
      <h2>Recent activity</h2>
      <ActivityList events={events} />
      <p>
        <a href="/settings/activity">All activity</a>
      </p>
    </section>
  );
}

function ActivityList({ events }: ActivityProps) {
  return (
    <ul class="lines">
      {events.map((row) => (
        <ActivityLine key={row.id} row={row} />
      ))}
    </ul>
  );
}

function ActivityLine({ row }: { row: AuditEventRow }) {
  const { kind, subject, occurred_at, client_address, device, api_key_hint } = toAuditEventResponse(row);
  const origin = [device, client_address, api_key_hint && `API key ${api_key_hint}`].filter(Boolean).join(' · ');
  const { text, alarm } = textOfKind(kind);
  return (
    <li class="line">
      <div>
        <p>
          <b>{text}</b>
          {subject && `: ${subject}`} {alarm && <span class="badge warn">{alarm}</span>}
        </p>
        <p class="quiet small">
          <Moment at={occurred_at} />
          {origin && ` · ${origin}`}
        </p>
      </div>
    </li>
  );
}
