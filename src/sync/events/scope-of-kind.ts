import type { Scope } from '../../auth/scopes.js';
import type { ChangeKind } from '../../change-log/change.js';

/** What a key must have to read a kind of record: syncs belong to connections. */
export function scopeOfKind(kind: ChangeKind): Scope {
  return `${kind === 'syncs' ? 'connections' : kind}:read`;
}
