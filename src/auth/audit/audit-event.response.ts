import { exportOf, Group, Id, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import { Pagination } from '../../http/pagination/page.js';
import { AUDIT_EVENT_KINDS, type AuditEventKind, type AuditEventsTables } from './audit-event.js';

class AuditEventResponse {
  @Id()
  id: string;

  @Moment({ example: '2026-03-02T06:17:04.211Z' })
  occurred_at: string;

  @OneOf(AUDIT_EVENT_KINDS, { example: 'api_key_created' })
  kind: AuditEventKind;

  @Id({
    nullable: true,
    example: '0b8a2f0c-6d0e-4e25-9f0e-1b7a3c9d2e44',
    description: 'The key, connection or account it is about.',
  })
  subject_id: string | null;

  @Text({
    nullable: true,
    example: 'Spreadsheet (tm_4fK…9xQz)',
    description: 'Its name at that time; of `sessions_ended`, the device, or how many.',
  })
  subject: string | null;

  @Text({
    nullable: true,
    example: '203.0.113.9',
    description: 'The client’s address, as reported by trusted proxies; `null`: the service’s own machine.',
  })
  client_address: string | null;

  @Text({ nullable: true, example: 'Firefox on Linux', description: 'The client, as it describes itself.' })
  device: string | null;

  @Text({
    nullable: true,
    example: null,
    description: 'First 6 and last 4 characters of the API key that did it; `null`: it was done on the pages.',
  })
  api_key_hint: string | null;
}

export class AuditEventCollection {
  @List(AuditEventResponse)
  audit_events: AuditEventResponse[];

  @Group(Pagination)
  pagination: Pagination;
}

/** As the list reads it. */
export interface AuditEventRow extends Omit<AuditEventsTables['audit_events'], 'user_id' | 'number' | 'occurred_at'> {
  /** Seconds since 1970 began. */
  occurred_at: number;
}

export const toAuditEventResponse: (row: AuditEventRow) => AuditEventResponse = responseOf(AuditEventResponse);

export const AUDIT_EVENT_EXPORT = exportOf('audit-events', AuditEventResponse, toAuditEventResponse);

export const AUDIT_EVENT_EXAMPLE: AuditEventRow = {
  id: '5f0d3c1e-8b7a-4f2e-9c64-1a2b3c4d5e6f',
  occurred_at: 1772432224.211,
  kind: 'api_key_created',
  subject_id: '0b8a2f0c-6d0e-4e25-9f0e-1b7a3c9d2e44',
  subject: 'Spreadsheet (tm_4fK…9xQz)',
  client_address: '203.0.113.9',
  device: 'Firefox on Linux',
  api_key_hint: null,
};
