import { ApiProperty } from '@nestjs/swagger';
import { Pagination } from '../../http/pagination/page.js';
import { instantText } from '../../platform/time/instant-text.js';
import { AUDIT_EVENT_KINDS, type AuditEventKind, type AuditEventsTables } from './audit-event.js';
import { csvLine, formulaSafe } from '../../http/export/csv.js';
import type { Exportable } from '../../http/export/record-export.service.js';

class AuditEventResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T06:17:04.211Z' })
  occurred_at: string;

  @ApiProperty({ enum: AUDIT_EVENT_KINDS, example: 'api_key_created' })
  kind: AuditEventKind;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    example: '0b8a2f0c-6d0e-4e25-9f0e-1b7a3c9d2e44',
    description: 'The key, connection or account it is about.',
  })
  subject_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Spreadsheet (tm_4fK…9xQz)',
    description: 'Its name at that time; of `sessions_ended`, the device, or how many.',
  })
  subject: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '203.0.113.9',
    description: 'The client’s address, as reported by trusted proxies; `null`: the service’s own machine.',
  })
  client_address: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Firefox on Linux',
    description: 'The client, as it describes itself.',
  })
  device: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'First 6 and last 4 characters of the API key that did it; `null`: it was done on the pages.',
  })
  api_key_hint: string | null;
}

export class AuditEventCollection {
  @ApiProperty({ type: [AuditEventResponse] })
  audit_events: AuditEventResponse[];

  @ApiProperty({ type: Pagination })
  pagination: Pagination;
}

/** As the list reads it. */
export interface AuditEventRow extends Omit<AuditEventsTables['audit_events'], 'user_id' | 'number' | 'occurred_at'> {
  /** Seconds since 1970 began. */
  occurred_at: number;
}

export function toAuditEventResponse(row: AuditEventRow): AuditEventResponse {
  return { ...row, occurred_at: instantText(row.occurred_at) };
}

const COLUMNS = [
  'id',
  'occurred_at',
  'kind',
  'subject_id',
  'subject',
  'client_address',
  'device',
  'api_key_hint',
] as const;

const safe = (text: string | null) => (text === null ? null : formulaSafe(text));

/** The fields of the list; names of keys and what clients say of themselves are no formulas. */
export const AUDIT_EVENT_EXPORT: Exportable<AuditEventRow> = {
  name: 'audit-events',
  toItem: toAuditEventResponse,
  columns: COLUMNS,
  toLine: (row) => {
    const event = toAuditEventResponse(row);
    const cells = { ...event, subject: safe(event.subject), device: safe(event.device) };
    return csvLine(COLUMNS.map((column) => cells[column]));
  },
};

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
