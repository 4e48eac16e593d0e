import type { AuditText, Part } from '../../platform/module.js';

const CORE_KINDS = [
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'sessions_ended',
  'password_check_failed',
  'password_changed',
  'password_reset',
  'second_factor_enabled',
  'second_factor_failed',
  'second_factor_removed',
  'second_factor_reset',
  'recovery_codes_created',
  'recovery_code_used',
  'api_key_created',
  'api_key_rotated',
  'api_key_revoked',
  'invitation_created',
  'invitation_revoked',
  'invitation_used',
  'connection_created',
  'credential_replaced',
  'connection_removed',
  'accounts_deleted',
  'accounts_merged',
  'data_exported',
] as const;

export type CoreAuditEventKind = (typeof CORE_KINDS)[number];
export type AuditEventKind = CoreAuditEventKind | (string & {});

/** What the audit trail records about a person, once the parts are declared. */
export const AUDIT_EVENT_KINDS: AuditEventKind[] = [...CORE_KINDS];

/** Those of modules, by kind. */
export const AUDIT_TEXTS_OF_MODULES = new Map<string, AuditText>();

/** Adds the kinds of these parts. Those that are known are known already. */
export function declareAuditEvents(parts: readonly Part[]): void {
  for (const [kind, text] of parts.flatMap(({ auditEvents = {} }) => Object.entries(auditEvents))) {
    if (!AUDIT_EVENT_KINDS.includes(kind)) AUDIT_EVENT_KINDS.push(kind);
    AUDIT_TEXTS_OF_MODULES.set(kind, text);
  }
}

/** Anybody can cause these as often as they like, so only some of them are stored. */
export const FAILED_ATTEMPTS: readonly AuditEventKind[] = [
  'sign_in_failed',
  'password_check_failed',
  'second_factor_failed',
];

export interface NewAuditEvent {
  userId: string;
  kind: AuditEventKind;
  /** The id of the key, connection or account it is about. */
  subjectId?: string;
  /** Its name, for a person. */
  subject?: string;
  /** Whether the service did it by itself. */
  isByItself?: boolean;
}

/** The table has no entity, because its rows are never updated. */
export interface AuditEventsTables {
  audit_events: {
    user_id: string;
    id: string;
    number: string;
    occurred_at: Date;
    kind: AuditEventKind;
    subject_id: string | null;
    subject: string | null;
    client_address: string | null;
    device: string | null;
    api_key_hint: string | null;
  };
}
