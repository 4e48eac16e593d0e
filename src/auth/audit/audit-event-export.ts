import { csvLine, formulaSafe } from '../../http/export/csv.js';
import type { Exportable } from '../../http/export/record-export.service.js';
import { type AuditEventRow, toAuditEventResponse } from './audit-event.response.js';

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
