import { pruneExpired } from '../database/prune.js';
import type { Part } from '../platform/module.js';
import { ApiKey } from './api-key.entity.js';
import { pruneAuditEvents } from './audit/prune-audit-events.js';
import { AuthModule } from './auth.module.js';
import { Invitation } from './invitation.entity.js';
import { pruneApiKeys } from './prune-api-keys.js';
import { RecoveryCode } from './second-factor/recovery-code.entity.js';
import { SecondFactor } from './second-factor/second-factor.entity.js';
import { StoredSession } from './session.entity.js';
import { User } from './user.entity.js';

export const auth: Part = {
  name: 'auth',
  module: AuthModule,
  entities: [User, ApiKey, Invitation, StoredSession, SecondFactor, RecoveryCode],
  personalData: [
    { type: 'user', table: '(select u.*, u.id as user_id from users u)', without: ['password_hash'] },
    { type: 'session', table: 'sessions', without: ['token_hash'] },
    { type: 'second_factor', table: 'second_factors', without: ['credential', 'last_used_step'] },
    { type: 'recovery_code', table: 'recovery_codes', without: ['code_hash'] },
    { type: 'invitation', table: 'invitations', without: ['token_hash'] },
    { type: 'api_key', table: 'api_keys', without: ['key_hash', 'previous_key_hash'] },
    { type: 'audit_event', table: 'audit_events' },
  ],
  scopes: { 'audit:read': 'See sign-ins, and changes of keys, credentials and data.' },
  lockedBeforeDeletion: ['second_factors', 'api_keys', 'sessions'],
  retention: {
    api_keys: pruneApiKeys,
    sessions: pruneExpired('sessions'),
    invitations: pruneExpired('invitations'),
    audit_events: pruneAuditEvents,
  },
};
